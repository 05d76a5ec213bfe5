/* arguments.c - reads the options of gcc and clang that decide what `heddle cc` does.
 *
 * Two tables list the options: one those that have a value or belong to only one of the two steps,
 * the other those that set something. All other options are single words for both steps. Left out:
 * rare long spellings (--include-directory), and options of linkers for other systems. */
#define _GNU_SOURCE
#include "cli/cc/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* The ways to write an option. */
enum spelling {
    ALONE,    /* -s */
    JOINED,   /* -Wl,... */
    SEPARATE, /* -include FILE */
    EITHER,   /* -I DIR, -IDIR */
};

static const struct option_row {
    const char *name;
    enum spelling spelling;
    enum argument_role role;
} option_table[] = {
    {"-o", EITHER, ROLE_OUTPUT},
    {"--output", SEPARATE, ROLE_OUTPUT},
    {"--output=", JOINED, ROLE_OUTPUT},
    {"-x", EITHER, ROLE_LANGUAGE},
    {"-I", EITHER, ROLE_COMPILE},
    {"-D", EITHER, ROLE_COMPILE},
    {"-U", EITHER, ROLE_COMPILE},
    {"-A", EITHER, ROLE_COMPILE},
    {"-include", EITHER, ROLE_COMPILE},
    {"-include-pch", SEPARATE, ROLE_COMPILE},
    {"-imacros", EITHER, ROLE_COMPILE},
    {"-isystem", EITHER, ROLE_COMPILE},
    {"-iquote", EITHER, ROLE_COMPILE},
    {"-idirafter", EITHER, ROLE_COMPILE},
    {"-iprefix", EITHER, ROLE_COMPILE},
    {"-iwithprefix", EITHER, ROLE_COMPILE},
    {"-iwithprefixbefore", EITHER, ROLE_COMPILE},
    {"-imultilib", EITHER, ROLE_COMPILE},
    {"-ivfsoverlay", SEPARATE, ROLE_COMPILE},
    {"-MF", EITHER, ROLE_COMPILE},
    {"-MT", EITHER, ROLE_COMPILE},
    {"-MQ", EITHER, ROLE_COMPILE},
    {"-MD", ALONE, ROLE_COMPILE},
    {"-MMD", ALONE, ROLE_COMPILE},
    {"-MP", ALONE, ROLE_COMPILE},
    {"-MG", ALONE, ROLE_COMPILE},
    {"-Wp,", JOINED, ROLE_COMPILE},
    {"-Wa,", JOINED, ROLE_COMPILE},
    {"-Xpreprocessor", SEPARATE, ROLE_COMPILE},
    {"-Xassembler", SEPARATE, ROLE_COMPILE},
    {"-Xclang", SEPARATE, ROLE_COMPILE},
    {"-Xanalyzer", SEPARATE, ROLE_COMPILE},
    {"-mllvm", SEPARATE, ROLE_COMPILE},
    {"-aux-info", SEPARATE, ROLE_COMPILE},
    {"-dumpbase", SEPARATE, ROLE_COMPILE},
    {"-dumpbase-ext", SEPARATE, ROLE_COMPILE},
    {"-dumpdir", SEPARATE, ROLE_COMPILE},
    {"-isysroot", EITHER, ROLE_BOTH},
    {"--sysroot", SEPARATE, ROLE_BOTH},
    {"--param", SEPARATE, ROLE_BOTH},
    {"-B", EITHER, ROLE_BOTH},
    {"-G", EITHER, ROLE_BOTH},
    {"-F", EITHER, ROLE_BOTH},
    {"-target", SEPARATE, ROLE_BOTH},
    {"-arch", SEPARATE, ROLE_BOTH},
    {"-gcc-toolchain", SEPARATE, ROLE_BOTH},
    {"-working-directory", SEPARATE, ROLE_BOTH},
    {"-wrapper", SEPARATE, ROLE_BOTH},
    {"-l", EITHER, ROLE_LINK},
    {"-L", EITHER, ROLE_LINK},
    {"-Wl,", JOINED, ROLE_LINK},
    {"-Xlinker", SEPARATE, ROLE_LINK},
    {"-T", EITHER, ROLE_LINK},
    {"-Tbss", SEPARATE, ROLE_LINK},
    {"-Tdata", SEPARATE, ROLE_LINK},
    {"-Ttext", SEPARATE, ROLE_LINK},
    {"-u", SEPARATE, ROLE_LINK},
    {"-z", EITHER, ROLE_LINK},
    {"-e", SEPARATE, ROLE_LINK},
    {"-h", SEPARATE, ROLE_LINK},
    {"-rpath", SEPARATE, ROLE_LINK},
    {"-framework", SEPARATE, ROLE_LINK},
    {"-s", ALONE, ROLE_LINK},
    {"-r", ALONE, ROLE_LINK},
    {"-rdynamic", ALONE, ROLE_LINK},
    {"-pie", ALONE, ROLE_LINK},
    {"-shared", ALONE, ROLE_LINK},
    {"-nostdlib", ALONE, ROLE_LINK},
    {"-nostartfiles", ALONE, ROLE_LINK},
    {"-nodefaultlibs", ALONE, ROLE_LINK},
    {"-fuse-ld=", JOINED, ROLE_LINK},
    /* The compiler would write the .dwo file beside a temporary object, and it would be removed
     * with it. */
    {"-gsplit-dwarf", ALONE, ROLE_LINK},
};

static const char *const compile_only_options[] = {
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--compile", "--assemble", "--preprocess", NULL,
};
static const char *const static_options[] = {"-static", "--static", "-static-pie", NULL};
static const char *const source_suffixes[] = {
    "c", "i",  "cc", "cp", "cxx", "cpp", "c++", "C",  "CPP", "ii",
    "m", "mi", "mm", "M",  "mii", "s",   "S",   "sx", NULL,
};
static const char *const assembler_suffixes[] = {"s", "S", "sx", NULL};
static const char *const cxx_suffixes[] = {
    "cc", "cp", "cxx", "cpp", "c++", "C", "CPP", "ii", NULL,
};
static const char *const header_suffixes[] = {
    "h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc", NULL,
};
/* The runtimes of these sanitizers use the same memory and the same functions as Heddle's. */
static const char *const foreign_sanitizers[] = {
    "address", "hwaddress",     "kernel-address", "kernel-hwaddress",
    "memory",  "kernel-memory", "leak",           "dataflow",
    NULL,
};

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool takes_next_word(const struct option_row *row, const char *text) {
    return (row->spelling == SEPARATE || row->spelling == EITHER) && strcmp(text, row->name) == 0;
}

/* Finds the row of an option. A row that equals the whole word wins over rows that are a prefix of
 * it (-include over -i..., -Ttext over -T). Among prefixes the longest wins. */
static const struct option_row *find_option(const char *text) {
    const struct option_row *best = NULL;
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        const struct option_row *row = &option_table[i];
        bool whole = strcmp(text, row->name) == 0;
        bool begins =
            (row->spelling == JOINED || row->spelling == EITHER) && starts_with(text, row->name);
        if (whole)
            return row;
        if (begins && (!best || strlen(row->name) > strlen(best->name)))
            best = row;
    }
    return best;
}

static const char *option_value(const struct option_row *row, const struct argument *argument) {
    return argument->value ? argument->value : argument->text + strlen(row->name);
}

/* Returns the first foreign sanitizer in a list, or NULL. */
static const char *find_foreign_sanitizer(const char *list) {
    char *copy = words_format("%s", list);
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ","))
        if (is_one_of(name, foreign_sanitizers))
            return name;
    free(copy);
    return NULL;
}

const char *arguments_without_thread_sanitizer(const char *text) {
    static const char option[] = "-fsanitize=";
    if (!starts_with(text, option))
        return text;
    char *copy = words_format("%s", text + strlen(option)), *kept = NULL;
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ","))
        if (strcmp(name, "thread") != 0)
            kept = words_format("%s%s%s", kept ? kept : option, kept ? "," : "", name);
    return kept;
}

/* Notes what a single option sets, whichever step it belongs to. */
static void note_switch(struct arguments *arguments, const char *text) {
    if (is_one_of(text, compile_only_options))
        arguments->mode = CC_COMPILE;
    else if (is_one_of(text, static_options))
        arguments->static_option = text;
    else if (starts_with(text, "-fsanitize=") && !arguments->foreign_sanitizer)
        arguments->foreign_sanitizer = find_foreign_sanitizer(text + strlen("-fsanitize="));
    else if (strcmp(text, "-r") == 0 || strcmp(text, "-Wl,-r") == 0)
        arguments->relocatable = true;
    else if (strcmp(text, "-MD") == 0 || strcmp(text, "-MMD") == 0)
        arguments->dependencies = true;
    else if (starts_with(text, "-MF"))
        arguments->dependencies_file = true;
    else if (starts_with(text, "-MT") || starts_with(text, "-MQ"))
        arguments->dependencies_target = true;
}

/* Notes an input for the linker, unless an option ends the work before linking. */
static void note_input(struct arguments *arguments) {
    if (arguments->mode == CC_PASS)
        arguments->mode = CC_LINK;
}

static void parse_file(struct arguments *arguments, struct argument *file, const char *language) {
    const char *dot = strrchr(file->text, '.');
    const char *suffix = dot && !strchr(dot, '/') ? dot + 1 : "";
    bool source = language || is_one_of(suffix, source_suffixes);
    bool header = language ? ends_with(language, "-header") : is_one_of(suffix, header_suffixes);
    file->role = source ? ROLE_SOURCE : ROLE_LINK;
    file->language = language;
    arguments->assembler |=
        language ? starts_with(language, "assembler") : is_one_of(suffix, assembler_suffixes);
    bool cxx = language ? strcmp(language, "c++") == 0 : is_one_of(suffix, cxx_suffixes);
    if (cxx && arguments->cxx_source == NULL)
        arguments->cxx_source = file->text;
    note_input(arguments);
    if (header)
        arguments->mode = CC_COMPILE;
}

static void parse_option(struct arguments *arguments, struct argument *option,
                         const char **language) {
    const struct option_row *row = find_option(option->text);
    note_switch(arguments, option->text);
    if (!row)
        return;
    const char *value = option_value(row, option);
    option->role = row->role;
    if (row->role == ROLE_OUTPUT)
        arguments->output = value;
    else if (row->role == ROLE_LANGUAGE)
        *language = strcmp(value, "none") == 0 ? NULL : value;
    /* For the compilers, -l and options for the linker count as input files, too. */
    if (starts_with(option->text, "-l") || starts_with(option->text, "-Wl,") ||
        strcmp(option->text, "-Xlinker") == 0)
        note_input(arguments);
    if (option->value && strcmp(option->value, "-tsan-distinguish-volatile") == 0)
        arguments->distinguish_volatile = true;
}

static struct argument *add_argument(struct arguments *arguments, const char *text) {
    if (arguments->count == arguments->capacity) {
        arguments->capacity = arguments->capacity ? 2 * arguments->capacity : 32;
        arguments->items =
            realloc(arguments->items, arguments->capacity * sizeof *arguments->items);
        CHECK(arguments->items);
    }
    struct argument *argument = &arguments->items[arguments->count++];
    *argument = (struct argument){.text = text, .role = ROLE_BOTH};
    return argument;
}

void arguments_parse(struct arguments *arguments, const struct words *words) {
    const char *language = NULL;
    *arguments = (struct arguments){.mode = CC_PASS};
    for (size_t i = 0; i < words->count; i++) {
        struct argument *argument = add_argument(arguments, words->items[i]);
        if (argument->text[0] != '-' || argument->text[1] == '\0') { /* "-" is standard input */
            parse_file(arguments, argument, language);
            continue;
        }
        const struct option_row *row = find_option(argument->text);
        if (row && takes_next_word(row, argument->text) && i + 1 < words->count)
            argument->value = words->items[++i];
        parse_option(arguments, argument, &language);
    }
}
