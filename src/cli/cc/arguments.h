/* arguments.h - the command line of a compiler, understood as far as `heddle cc` needs it.
 *
 * `heddle cc` adds different flags for compiling and for linking, so a command that does both is
 * split into two. For this, each argument must be known to be a source file, an option for the
 * compiler, or an option for the linker. An unknown argument goes to both. */
#ifndef CLI_CC_ARGUMENTS_H
#define CLI_CC_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cc/words.h"

enum argument_role {
    ROLE_BOTH,     /* -O2, -pthread, and everything we do not know */
    ROLE_COMPILE,  /* -I, -D, -include */
    ROLE_LINK,     /* -l, -L, -Wl,... and files that are not sources: their order matters */
    ROLE_SOURCE,   /* a source file */
    ROLE_OUTPUT,   /* -o */
    ROLE_LANGUAGE, /* -x: its value is kept with each source instead */
};

struct argument {
    const char *text;
    const char *value;    /* the next word, if the option takes one; else NULL */
    const char *language; /* for a source: the value of -x, or NULL */
    enum argument_role role;
};

enum cc_mode {
    CC_PASS,    /* there is nothing to compile or link: --version, -print-file-name=... */
    CC_COMPILE, /* -c, -S, -E, -M, or a header: one call of the compiler is enough */
    CC_LINK,    /* the result is an executable or a library */
};

struct arguments {
    struct argument *items;
    size_t count, capacity;
    enum cc_mode mode;
    const char *output;            /* the value of -o, or NULL */
    const char *static_option;     /* -static as written, or NULL */
    const char *foreign_sanitizer; /* a sanitizer that cannot be combined with Heddle, or NULL */
    bool relocatable;              /* -r: the output is an object again */
    bool assembler;                /* an assembler file is among the sources */
    const char *cxx_source;        /* the first source in C++, or NULL */
    bool dependencies;             /* -MD or -MMD is given */
    bool dependencies_file;        /* -MF is given */
    bool dependencies_target;      /* -MT or -MQ is given */
    bool distinguish_volatile;     /* clang's flag is given already; giving it twice is an error */
};

/* Reads the words of a command line, without the name of the command. `words` is borrowed. */
void arguments_parse(struct arguments *arguments, const struct words *words);

/* Returns a -fsanitize= argument without `thread`, for the linker, or NULL if nothing is left.
 * Returns any other argument as it is. */
const char *arguments_without_thread_sanitizer(const char *text);

#endif
