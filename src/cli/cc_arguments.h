/* cc_arguments.h - a compiler's command line, understood as far as `heddle cc` has to.
 *
 * Compiling and linking get different flags from us, so a command that does both is cut into two.
 * For that each argument must be known as: a source file, something for the compiler, something for
 * the linker, or (the rule for all that is unknown) for both. */
#ifndef CLI_CC_ARGUMENTS_H
#define CLI_CC_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cc_words.h"

enum argument_role {
    ROLE_BOTH,     /* -O2, -pthread, and everything we do not know */
    ROLE_COMPILE,  /* -I, -D, -include */
    ROLE_LINK,     /* -l, -L, -Wl,... and files that are no source: their order matters */
    ROLE_SOURCE,   /* a file to be compiled */
    ROLE_OUTPUT,   /* -o */
    ROLE_LANGUAGE, /* -x: kept with each source instead */
};

struct argument {
    const char *text;
    const char *value;    /* the next word where the option takes one, else NULL */
    const char *language; /* of a source: what -x said, or NULL */
    enum argument_role role;
};

enum cc_mode {
    CC_PASS,    /* nothing to compile or link: --version, -print-file-name=... */
    CC_COMPILE, /* -c, -S, -E, -M, a header: the compiler does it in one go */
    CC_LINK,    /* an executable or a library comes out */
};

struct arguments {
    struct argument *items;
    size_t count, capacity;
    enum cc_mode mode;
    const char *output;            /* of -o, or NULL */
    const char *static_option;     /* -static as written, or NULL */
    const char *foreign_sanitizer; /* one that cannot live beside Heddle, or NULL */
    bool relocatable;              /* -r: the output is an object again */
    bool assembler;                /* an assembler file is among the sources */
    const char *cxx_source;        /* the first source in C++, or NULL */
    bool dependencies;             /* -MD or -MMD ... */
    bool dependencies_file;        /* ... with -MF */
    bool dependencies_target;      /* ... with -MT or -MQ */
    bool distinguish_volatile;     /* clang's flag is there already; twice is an error */
};

/* `words` without the command's name; borrowed. */
void arguments_parse(struct arguments *arguments, const struct words *words);

/* What is left of a -fsanitize= list for the linker: NULL if only thread was in it. An argument of
 * another kind comes back as it is. */
const char *arguments_without_thread_sanitizer(const char *text);

#endif
