/* unseen.c - see cc/unseen.h.
 *
 * The disassembly shows atomic instructions (unseen_code.h), but it does not show that a plain move
 * comes from inline assembly. For this, the unit is compiled once more, to assembly. This is done
 * only if the word asm is in one of its files, which the debug information lists. Without debug
 * information only the source is searched, and inline assembly in a header is missed. Accesses that
 * clang does not instrument are found in the same way (cc/wide.h). */
#define _GNU_SOURCE
#include "cli/cc/unseen.h"

#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/marks.h"
#include "cli/cc/assembly.h"
#include "cli/cc/process.h"
#include "cli/cc/wide.h"
#include "cli/base/say.h"
#include "cli/names/unseen_code.h"

/* --- the files of the unit --- */

/* What a unit may contain, judged by its text. */
struct possible {
    bool assembly, wide;
};

static void look_at_file(struct possible *possible, const char *path) {
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file ? getdelim(&text, &size, '\0', file) : -1;
    /* System headers declare functions with asm("name"). */
    bool system = strncmp(path, "/usr/", 5) == 0;
    if (length > 0) {
        possible->assembly |= assembly_possible(text, (size_t)length, system);
        possible->wide |= !system && wide_possible(text);
    }
    if (file)
        fclose(file);
    free(text);
}

static void look_at_unit(struct possible *possible, Dwarf_Die *unit) {
    Dwarf_Files *files;
    size_t count = 0;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0)
        return;
    for (size_t i = 1; i < count; i++) {
        const char *path = dwarf_filesrc(files, i, NULL, NULL);
        if (path != NULL)
            look_at_file(possible, path);
    }
}

/* The object is opened as an offline file, so that libdw relocates its tables. */
static void look_at_object(struct possible *possible, const char *object) {
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl == NULL)
        return;
    Dwfl_Module *module = dwfl_report_offline(dwfl, "object", object, -1);
    dwfl_report_end(dwfl, NULL, NULL);
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    while (module != NULL && (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL)
        look_at_unit(possible, unit);
    dwfl_end(dwfl);
}

/* --- the mark --- */

static char *temporary(const struct cc_unit *unit, const char *suffix) {
    return words_format("%s%s", unit->object, suffix);
}

/* A kind of mark: its section, and how its functions are found. */
struct mark {
    const char *section;
    const char *option; /* an option for the compiler besides -S, or NULL */
    size_t (*functions)(FILE *text, FILE *names);
};

static const struct mark marks_assembly = {MARK_ASSEMBLY, NULL, assembly_functions};
static const struct mark marks_wide = {MARK_WIDE, "-emit-llvm", wide_functions};

/* Writes the names of the functions to a file. Returns their number. */
static size_t write_marks(const struct cc_unit *unit, const struct mark *mark, const char *assembly,
                          const char *marks) {
    struct words command = {0};
    words_append(&command, unit->to_assembly);
    words_add_all(&command, (const char *const[]){"-w", "-S", "-o", assembly, mark->option, NULL});
    bool compiled = process_run(&command) == 0;
    FILE *text = compiled ? fopen(assembly, "re") : NULL, *names = fopen(marks, "we");
    size_t count = text && names ? mark->functions(text, names) : 0;
    if (text)
        fclose(text);
    if (names)
        fclose(names);
    free(command.items);
    return count;
}

static void add_marks(const struct cc_unit *unit, const struct mark *mark) {
    char *assembly = temporary(unit, ".heddle.s"), *marks = temporary(unit, mark->section);
    if (write_marks(unit, mark, assembly, marks) > 0) {
        struct words command = {0};
        const char *section = words_format("%s=%s", mark->section, marks);
        words_add_all(&command, (const char *const[]){"objcopy", "--add-section", section,
                                                      unit->object, NULL});
        process_run(&command);
        free(command.items);
    }
    unlink(assembly);
    unlink(marks);
}

/* --- the warnings --- */

static void warn(const struct cc_unit *unit, const struct unseen_place *place) {
    char name[UNSEEN_NAME];
    bool wide = strcmp(place->instruction, UNSEEN_WIDE) == 0;
    bool plain = wide || strcmp(place->instruction, UNSEEN_ASSEMBLY) == 0;
    bool calls = strcmp(place->instruction, "syscall") == 0;
    say_error(0, "%s: warning: %s: %s%s%s has %s%s%s, which Heddle does not see; %s", unit->tool,
              unit->source, place->function[0] ? "function '" : "the code",
              unseen_demangle(place->function, name), place->function[0] ? "'" : "",
              wide    ? "accesses of a size that clang does not instrument"
              : plain ? "inline assembly that accesses memory"
                      : "the instruction '",
              plain ? "" : place->instruction, plain ? "" : "'",
              wide    ? "compile it by gcc to have them checked"
              : calls ? "call syscall() to have it controlled"
                      : "write it with the atomics of C or C++ to have it checked");
}

void cc_unseen_check(const struct cc_unit *unit) {
    struct unseen_code code;
    struct possible possible = {0};
    look_at_file(&possible, unit->source);
    look_at_object(&possible, unit->object);
    if (possible.assembly)
        add_marks(unit, &marks_assembly);
    if (possible.wide && unit->clang)
        add_marks(unit, &marks_wide);
    if (unit->quiet || !unseen_code_find(&code, unit->object))
        return;
    for (uint32_t i = 0; i < code.functions && i < UNSEEN_PLACES; i++)
        warn(unit, &code.places[i]);
    if (code.functions > UNSEEN_PLACES)
        say_error(0, "%s: warning: %s: and %u more", unit->tool, unit->source,
                  code.functions - UNSEEN_PLACES);
}
