/* start.c - how a program comes under control.
 *
 * Before the program's own start-up code we look for a session. If there is none, nothing
 * happens: the program runs as usual, and every interposed function calls the real one.
 * Otherwise the start-up runs as usual too, with constructors, but calls us instead of main. We
 * keep the original stack for the engine, and main runs as the first task. */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "engine/session.h"
#include "substrates/native/calls/calls.h"
#include "substrates/native/calls/fence.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/calls/signal.h"
#include "substrates/native/calls/virtual_time.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/program/crash.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/program/libraries.h"
#include "substrates/native/program/process.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/section.h"
#include "substrates/native/tasks/stack.h"
#include "substrates/native/tasks/thread.h"
#include "substrates/native/tasks/thread_end.h"
#include "substrates/native/tasks/traits.h"

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

struct code_ranges code_ranges;
struct control control;

static uint64_t tls_size; /* bytes of thread-local storage before a control block */

static struct {
    main_function *main;
    int argc;
    char **argv;
} program;

/* Constructors of libraries run before the program's start-up code, which attaches to the
 * session. */
static bool has_session(char **environment) {
    size_t length = strlen(SESSION_VARIABLE);
    for (; environment != NULL && *environment != NULL; environment++)
        if (strncmp(*environment, SESSION_VARIABLE, length) == 0 && (*environment)[length] == '=')
            return true;
    return false;
}

/* Our library is constructed first, even before the C library has its environment. */
__attribute__((constructor(101))) static void construct(int argc, char **argv, char **environment) {
    (void)argc, (void)argv;
    real_resolve();
    process_register_end();
    control.expected = has_session(environment);
}

static void look_for_session(void) {
    const char *path = getenv(SESSION_VARIABLE);
    if (path == NULL)
        return;
    rt.session = session_attach(path);
    if (rt.session == NULL) /* the user asked for control, so the program must not run without it */
        native_syscall(SYS_exit_group, SESSION_REFUSED);
    unsetenv(SESSION_VARIABLE);
    unsetenv("LD_PRELOAD");
}

/* --- what the session is told about this process --- */

static void read_build_id(struct module *module, const char *notes, size_t size) {
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + at);
        const char *name = (const char *)(note + 1);
        const char *content = name + ((note->n_namesz + 3) & ~3u);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4) &&
            note->n_descsz <= sizeof module->build_id) {
            module->build_id_size = note->n_descsz;
            memcpy(module->build_id, content, note->n_descsz);
        }
        at += (size_t)(content - (const char *)note) + ((note->n_descsz + 3) & ~3u);
    }
}

/* Notes code that is told from other code by its address: ours, the unwinder's, the C library's,
 * the program's. */
static void note_code(const char *path, bool program, uint64_t start, uint64_t size) {
    struct address_range *range = NULL;
    if (program)
        range = &code_ranges.program;
    else if ((uint64_t)&note_code - start < size)
        range = &code_ranges.own;
    else if ((uint64_t)libc.clone - start < size)
        range = &code_ranges.libc;
    else if (strstr(path, "/libgcc_s.so") != NULL)
        range = &code_ranges.unwinder;
    if (range != NULL)
        *range = (struct address_range){start, size};
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
    struct session *session = rt.session;
    (void)size, (void)unused;
    if (session->result.modules.count == MODULES_MAX)
        return 1;
    struct module *module = &session->result.modules.list[session->result.modules.count++];
    memset(module, 0, sizeof *module);
    stack_add_module(info);
    module->base = info->dlpi_addr;
    module->opened = libraries_has(info);
    if (info->dlpi_name[0] != 0)
        strncpy(module->path, info->dlpi_name, sizeof module->path - 1);
    else if (readlink("/proc/self/exe", module->path, sizeof module->path - 1) < 0)
        module->path[0] = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && start + segment->p_memsz > module->end)
            module->end = start + segment->p_memsz;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
            note_code(module->path, info->dlpi_name[0] == 0, start, segment->p_memsz);
        if (segment->p_type == PT_LOAD && (uint64_t)&rt - start < segment->p_memsz)
            code_ranges.own_data = (struct address_range){start, segment->p_memsz};
        if (segment->p_type == PT_NOTE)
            read_build_id(module, (const char *)start, segment->p_memsz);
        if (segment->p_type == PT_TLS &&
            !libraries_storage_apart(info, session->result.modules.count - 1))
            tls_size += segment->p_memsz + segment->p_align;
    }
    return 0;
}

/* The program may write to its arguments, so it gets copies, in memory that is put back. */
static char **copy_arguments(int argc, char **argv) {
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    for (int i = 0; i < argc; i++)
        copy[i] = strdup(argv[i]);
    copy[argc] = NULL;
    return copy;
}

static int take_over(int argc, char **argv, char **environment) {
    struct session *session = rt.session;
    (void)environment;
    native_load(session);
    libraries_load();
    program.argc = argc;
    program.argv = copy_arguments(argc, argv);
    heap_keep();
    process_keep_handlers();
    session->result.modules.count = 0;
    dl_iterate_phdr(add_module, NULL);
    session->live.process.pid = getpid();
    session->result.observed.plain_instrumented = plain_accesses.instrumented;
    control.taken = true;
    plain_accesses.explored = session->request.options.races == RACES_EXPLORE;
    debugging.on = session->request.options.debugged;
    threads_refuse_early();
    threads_expected();
    process_find_destructors();
    cancel_prepare();
    traits_find_name();
    signals_inherit();
    atomic_functions_find();
    sections_prepare();
    crash_install();
    unwinder_prepare();
    fence_install();
    native_take_over(session);
}

void native_keep_memory(void) {
    memory_save(tls_size);
    tasks_track();
}

void native_start_main(void) {
    CHECK(task_create(NULL, (uint64_t)program.main, 0) == task_at(0));
    early_state_to(task_at(0));
    clock_to_first_task(task_at(0));
    signals_to_first_task(task_at(0));
}

void fiber_main(struct task *task) {
    if (task->id == 0) {
        early_locks_to(task);
        exit(program.main(program.argc, program.argv, environ));
    }
    void *result = NULL;
    if (task->thread.entry != NULL)
        result = task->thread.entry(task->thread.argument);
    else
        result = (void *)(long)task->thread.entry_c11(task->thread.argument);
    thread_finish(task, result);
}

EXPORT int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    look_for_session();
    start_function *start = (start_function *)real_start_main();
    control.absent = rt.session == NULL;
    if (control.absent)
        return start(main, argc, argv, init, fini, rtld_fini, stack_end);
    program.main = main;
    return start(take_over, argc, argv, init, fini, process_run_destructors, stack_end);
}
