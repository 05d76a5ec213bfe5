/* cc.c - `heddle cc` and `heddle c++`: calls gcc or clang, with two additions.
 *
 * For compiling, -fsanitize=thread is added, which turns memory accesses into calls to __tsan_*.
 * For linking, this flag must not be there, because it would add the sanitizer's own runtime.
 * Instead libheddle.so is added, which provides those calls. So a command that only compiles is
 * passed on with Heddle's flags. A command that compiles and links is split: one compilation for
 * each source, into a temporary object, and one link with every argument in its place. The library
 * comes first, so that its malloc and pthread_* are found before all others.
 *
 * The user's own flags come after Heddle's and win: -g0, or -fno-sanitize=thread for code that must
 * not be instrumented. Only -flto is not possible: with it gcc instruments at link time, where the
 * flag is missing.
 *
 * Left out: files that a compiler would write beside a temporary object (-save-temps, .gcno,
 * .dwo). */
#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc/arguments.h"
#include "cli/cc/atomic.h"
#include "cli/cc/process.h"
#include "cli/cc/unseen.h"
#include "cli/cc/words.h"
#include "cli/base/paths.h"
#include "cli/base/say.h"

struct cc {
    const char *name;      /* the name of the command, for messages */
    bool cxx;              /* true for `heddle c++` */
    struct words compiler; /* the name of the compiler, and the options in $HEDDLE_CC */
    bool clang;
    struct words given;         /* the user's arguments, with response files expanded */
    struct arguments arguments; /* the same arguments, parsed */
};

static int complain(const struct cc *cc, int status, const char *message, const char *detail) {
    return say_error(status, "%s: %s%s", cc->name, message, detail);
}

static bool choose_compiler(struct cc *cc, bool cxx) {
    const char *const fallback[] = {cxx ? "g++" : "gcc", cxx ? "clang++" : "clang"};
    const char *wish = getenv(cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
    if (wish)
        words_split(&cc->compiler, wish, false);
    for (size_t i = 0; i < 2 && cc->compiler.count == 0; i++)
        if (process_is_on_path(fallback[i]))
            words_add(&cc->compiler, fallback[i]);
    return cc->compiler.count > 0;
}

/* Decides by the name of the compiler, or asks it: `cc` may be either. */
static bool is_clang(const struct words *compiler) {
    for (size_t i = 0; i < compiler->count; i++) {
        const char *slash = strrchr(compiler->items[i], '/');
        const char *name = slash ? slash + 1 : compiler->items[i];
        if (strstr(name, "clang"))
            return true;
        if (strstr(name, "gcc") || strstr(name, "g++"))
            return false;
    }
    struct words question = {0};
    words_append(&question, compiler);
    words_add(&question, "--version");
    return process_output_contains(&question, "clang");
}

/* The runtime knows atomic functions of SV-COMP by their symbols. So they must not be inlined, or
 * merged with other functions. */
static void keep_functions(struct words *command, const struct cc *cc) {
    static const char *const gcc[] = {"-fno-ipa-icf", "-fno-partial-inlining", NULL};
    for (size_t i = 0; i < cc->arguments.count; i++) {
        const struct argument *argument = &cc->arguments.items[i];
        if (argument->role != ROLE_SOURCE || !atomic_mentioned(argument->text))
            continue;
        words_add(command, "-fno-inline");
        if (!cc->clang)
            words_add_all(command, gcc);
        return;
    }
}

/* Adds Heddle's flags that come before the user's. */
static void add_instrumentation(struct words *command, const struct cc *cc) {
    static const char *const both[] = {"-g", "-fsanitize=thread", NULL};
    /* gcc warns of fences, because its own ThreadSanitizer does not support them. Heddle does. */
    static const char *const gcc[] = {"--param", "tsan-distinguish-volatile=1", "-Wno-tsan", NULL};
    /* Before version 21, clang does not instrument local variables that no other thread can reach.
     * But it wrongly counts elements of a local array or structure among these, even if another
     * thread has the address of the whole. If clang may look at no use of a variable, it leaves out
     * none. */
    static const char *const clang[] = {"-mllvm", "-capture-tracking-max-uses-to-explore=0", NULL};
    /* gcc turns copies and comparisons of constant size into instructions after the
     * instrumentation. As calls they come to Heddle (include/heddle/copies.h has the rest for gcc).
     * gcc does not instrument arguments that are passed by value, so it must not pass more by value
     * than the program does. clang makes such copies calls by itself, but does not instrument
     * vectors of more than 16 bytes. */
    static const char *const gcc_calls[] = {"-fno-builtin-memcpy",  "-fno-builtin-mempcpy",
                                            "-fno-builtin-memmove", "-fno-builtin-memset",
                                            "-fno-builtin-bcopy",   "-fno-builtin-bzero",
                                            "-fno-builtin-memcmp",  "-fno-builtin-bcmp",
                                            "-fno-builtin-strcpy",  "-fno-builtin-stpcpy",
                                            "-fno-builtin-strncpy", "-fno-builtin-strcat",
                                            "-fno-builtin-strcmp",  "-fno-builtin-strncmp",
                                            "-fno-ipa-sra",         NULL};
    static const char *const clang_calls[] = {"-fno-builtin-memcmp", "-fno-builtin-bcmp",
                                              "-mprefer-vector-width=128", NULL};
    static const char *const clang_volatile[] = {"-mllvm", "-tsan-distinguish-volatile", NULL};
    words_add_all(command, both);
    words_add_all(command, cc->clang ? clang : gcc);
    words_add_all(command, cc->clang ? clang_calls : gcc_calls);
    if (!cc->clang) {
        words_add(command, "-include");
        words_add(command, words_format("%s/heddle/copies.h", paths_include()));
    }
    if (cc->clang && !cc->arguments.distinguish_volatile)
        words_add_all(command, clang_volatile);
    keep_functions(command, cc);
}

/* Adds Heddle's flags that come after the user's: headers of the same name in the user's
 * directories win. */
static void add_compile_end(struct words *command) {
    words_add(command, "-fno-lto");
    words_add(command, "-I");
    words_add(command, paths_include());
    words_add(command, "-isystem"); /* for strings and waits of C++: see the files there */
    words_add(command, words_format("%s/heddle/c++", paths_include()));
}

/* clang warns of flags that a step does not use. Half of the flags here belong to the other
 * step. */
static void silence_unused(struct words *command, const struct cc *cc) {
    if (cc->clang)
        words_add(command, "-Wno-unused-command-line-argument");
}

static int execute(const struct cc *cc, const struct words *command) {
    execvp(command->items[0], command->items);
    const char *reason = words_format("%s: %s", command->items[0], strerror(errno));
    return complain(cc, EXIT_USAGE, "cannot start the compiler ", reason);
}

static int pass_on(const struct cc *cc) {
    struct words command = {0};
    words_append(&command, &cc->compiler);
    words_append(&command, &cc->given);
    return execute(cc, &command);
}

static void add_argument(struct words *command, const struct argument *argument) {
    words_add(command, argument->text);
    if (argument->value)
        words_add(command, argument->value);
}

/* -MD without -MF names the file after the output, but the output is a temporary object here. */
static void add_dependency_file(struct words *command, const struct arguments *arguments,
                                const struct argument *source) {
    const char *output = arguments->output;
    const char *named = output ? output : source->text;
    const char *slash = strrchr(named, '/'), *base = slash ? slash + 1 : named;
    const char *dot = strrchr(base, '.');
    int directory = output ? (int)(base - named) : 0,
        stem = dot ? (int)(dot - base) : (int)strlen(base);
    if (!arguments->dependencies_file) {
        words_add(command, "-MF");
        words_add(command, words_format("%.*s%.*s.d", directory, named, stem, base));
    }
    if (!arguments->dependencies_target) {
        words_add(command, "-MT");
        words_add(command, output ? output : "a.out");
    }
}

/* Adds the options for compiling a unit, without -c. Options that write dependency files are added
 * only if `dependencies` is set. */
static void add_unit(struct words *command, const struct cc *cc, const struct argument *source,
                     bool dependencies) {
    const struct arguments *arguments = &cc->arguments;
    words_append(command, &cc->compiler);
    silence_unused(command, cc);
    add_instrumentation(command, cc);
    for (size_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->items[i];
        bool output = strcmp(argument->text, "-c") == 0 ||
                      (strncmp(argument->text, "-M", 2) == 0 && !dependencies);
        if ((argument->role == ROLE_BOTH || argument->role == ROLE_COMPILE) && !output)
            add_argument(command, argument);
    }
    add_compile_end(command);
    if (dependencies && arguments->dependencies)
        add_dependency_file(command, arguments, source);
    if (source->language) {
        words_add(command, "-x");
        words_add(command, source->language);
    }
    words_add(command, source->text);
}

static bool is_given(const struct cc *cc, const char *word) {
    for (size_t i = 0; i < cc->given.count; i++)
        if (strcmp(cc->given.items[i], word) == 0)
            return true;
    return false;
}

/* Warns of code in an object that the instrumentation does not cover. */
static void check_unit(const struct cc *cc, const struct argument *source, const char *object) {
    struct words command = {0};
    if (strcmp(source->text, "-") == 0)
        return;
    add_unit(&command, cc, source, false);
    cc_unseen_check(&(struct cc_unit){.tool = cc->name,
                                      .source = source->text,
                                      .object = object,
                                      .to_assembly = &command,
                                      .clang = cc->clang,
                                      .quiet = is_given(cc, "-w")});
    free(command.items);
}

static int compile_source(const struct cc *cc, const struct argument *source, const char *object) {
    struct words command = {0};
    add_unit(&command, cc, source, true);
    words_add_all(&command, (const char *const[]){"-c", "-o", object, NULL});
    int status = process_run(&command);
    free(command.items);
    if (status == 0)
        check_unit(cc, source, object);
    return status;
}

/* Returns where the compiler puts the object of a source: in the current directory. */
static const char *default_object(const char *source) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    return words_format("%.*s.o", dot ? (int)(dot - base) : (int)strlen(base), base);
}

static void check_objects(const struct cc *cc) {
    for (size_t i = 0; i < cc->arguments.count; i++) {
        const struct argument *argument = &cc->arguments.items[i];
        const char *output = cc->arguments.output;
        if (argument->role == ROLE_SOURCE)
            check_unit(cc, argument, output ? output : default_object(argument->text));
    }
}

/* Returns true for -c without an option that ends earlier: then the results are objects. */
static bool makes_objects(const struct cc *cc) {
    static const char *const earlier[] = {"-S", "-E", "-M", "-MM", "-fsyntax-only"};
    bool objects = is_given(cc, "-c");
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++)
        objects &= !is_given(cc, earlier[i]);
    return objects;
}

static int compile_only(const struct cc *cc) {
    struct words command = {0};
    words_append(&command, &cc->compiler);
    if (cc->arguments.assembler)
        silence_unused(&command, cc);
    add_instrumentation(&command, cc);
    words_append(&command, &cc->given);
    add_compile_end(&command);
    const char *compiler = cc->compiler.items[0];
    bool there =
        strchr(compiler, '/') != NULL ? access(compiler, X_OK) == 0 : process_is_on_path(compiler);
    if (!makes_objects(cc) || !there)
        return execute(cc, &command);
    process_forward_signals();
    int status = process_run(&command);
    if (status == 0)
        check_objects(cc);
    return status;
}

/* Returns the name of a source's object. The linker shows this name in its messages. */
static char *object_name(const char *directory, const char *source, size_t number) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    return words_format("%s/%.*s-%zu.o", directory, (int)strcspn(base, "."), base, number);
}

/* Compiles all sources even if one fails, as the compilers do. Returns the first failure. */
static int compile_sources(const struct cc *cc, const char *directory, struct words *objects) {
    int result = 0;
    for (size_t i = 0; i < cc->arguments.count; i++) {
        const struct argument *argument = &cc->arguments.items[i];
        if (argument->role != ROLE_SOURCE)
            continue;
        const char *object = object_name(directory, argument->text, objects->count);
        int status = compile_source(cc, argument, object);
        words_add(objects, object);
        if (result == 0)
            result = status;
        if (process_interrupted())
            break;
    }
    return result;
}

/* The library comes first on the line, and is kept whatever the default of the linker is
 * (--as-needed on Ubuntu). */
static void add_library(struct words *command) {
    words_add(command, "-L");
    words_add(command, paths_library_directory());
    words_add(command, "-Wl,--push-state,--no-as-needed");
    words_add(command, "-lheddle");
    words_add(command, "-Wl,--pop-state");
}

/* -Xlinker instead of -Wl, because the name of the directory may contain a comma. */
static void add_link_end(struct words *command) {
    static const char *const rest[] = {"-Wl,--build-id", "-pthread", "-fno-lto", NULL};
    words_add_all(command, (const char *const[]){"-Xlinker", "-rpath", "-Xlinker",
                                                 paths_library_directory(), NULL});
    words_add_all(command, rest);
}

static void add_link_argument(struct words *command, const struct argument *argument,
                              const char *object) {
    const char *kept = arguments_without_thread_sanitizer(argument->text);
    if (argument->role == ROLE_SOURCE)
        words_add(command, object);
    else if (argument->role == ROLE_COMPILE || argument->role == ROLE_LANGUAGE || !kept)
        return;
    else
        add_argument(command, &(struct argument){.text = kept, .value = argument->value});
}

static int link_objects(const struct cc *cc, const struct words *objects) {
    struct words command = {0};
    size_t used = 0;
    words_append(&command, &cc->compiler);
    silence_unused(&command, cc);
    if (!cc->arguments.relocatable)
        add_library(&command);
    for (size_t i = 0; i < cc->arguments.count; i++) {
        const struct argument *argument = &cc->arguments.items[i];
        bool source = argument->role == ROLE_SOURCE;
        add_link_argument(&command, argument, source ? objects->items[used++] : NULL);
    }
    if (!cc->arguments.relocatable)
        add_link_end(&command);
    return process_run(&command);
}

static int compile_and_link(const struct cc *cc) {
    const char *place = getenv("TMPDIR");
    char *directory = words_format("%s/heddle-cc-XXXXXX", place && *place ? place : "/tmp");
    struct words objects = {0};
    if (!mkdtemp(directory))
        return complain(cc, EXIT_INTERNAL,
                        "cannot create a temporary directory: ", strerror(errno));
    process_forward_signals();
    int status = compile_sources(cc, directory, &objects);
    bool compiled = status == 0;
    if (compiled)
        status = link_objects(cc, &objects);
    process_remove_directory(directory);
    /* As with gcc, the C++ library is missing here, but the linker only complains of each function
     * in it. */
    if (compiled && status != 0 && !cc->cxx && cc->arguments.cxx_source)
        complain(cc, 0, "heddle c++ links programs in C++, such as ", cc->arguments.cxx_source);
    return status;
}

/* Returns 0, or the exit status if the command asks for something that is not possible. */
static int refuse(const struct cc *cc) {
    if (cc->arguments.foreign_sanitizer)
        return complain(cc, EXIT_USAGE,
                        "Heddle takes the place of a sanitizer; leave out -fsanitize=",
                        cc->arguments.foreign_sanitizer);
    if (cc->arguments.mode == CC_LINK && cc->arguments.static_option)
        return complain(cc, EXIT_UNSUPPORTED, "static binaries cannot be controlled; leave out ",
                        cc->arguments.static_option);
    if (!paths_include())
        return complain(cc, EXIT_INTERNAL, "heddle/heddle.h not found; set HEDDLE_INCLUDEDIR", "");
    if (cc->arguments.mode == CC_LINK && !paths_library_directory())
        return complain(cc, EXIT_INTERNAL, "libheddle.so not found; set HEDDLE_LIBDIR", "");
    return 0;
}

int cc_main(int argc, char **argv, bool cxx) {
    struct cc cc = {.name = cxx ? "c++" : "cc", .cxx = cxx};
    for (int i = 1; i < argc; i++)
        words_expand(&cc.given, argv[i]);
    arguments_parse(&cc.arguments, &cc.given);
    if (!choose_compiler(&cc, cxx))
        return complain(&cc, EXIT_USAGE, "no compiler found; install gcc or clang, or set ",
                        cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
    if (cc.arguments.mode == CC_PASS)
        return pass_on(&cc);
    int status = refuse(&cc);
    if (status != 0)
        return status;
    cc.clang = is_clang(&cc.compiler);
    return cc.arguments.mode == CC_COMPILE ? compile_only(&cc) : compile_and_link(&cc);
}
