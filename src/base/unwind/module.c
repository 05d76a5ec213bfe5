/* module.c - see module.h. */
#define _GNU_SOURCE
#include "base/unwind/module.h"

static void add_code(struct unwind_module *module, uint64_t start, uint64_t end) {
    if (module->code_end == 0 || start < module->code_start)
        module->code_start = start;
    if (end > module->code_end)
        module->code_end = end;
}

struct unwind_module unwind_module_of(const struct dl_phdr_info *info) {
    struct unwind_module module = {0};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            module.index = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        if (segment->p_flags & PF_X)
            add_code(&module, start, end);
        if ((segment->p_flags & PF_R) && module.index - start < segment->p_filesz) {
            module.start = start;
            module.end = start + segment->p_filesz;
        }
    }
    if (module.end == 0)
        module.index = 0;
    return module;
}
