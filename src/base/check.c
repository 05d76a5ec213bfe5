/* check.c - what a failed CHECK does. */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_OWN_BUG = 6 };

static void print_and_exit(const char *condition, const char *file, int line) {
    fprintf(stderr,
            "heddle: internal error: %s:%d: %s\n"
            "heddle: this is a bug of Heddle itself, not of your program; please report it with "
            "the command line.\n",
            file, line, condition);
    exit(EXIT_OWN_BUG);
}

static check_handler *current_handler = print_and_exit;

void check_set_handler(check_handler *handler) {
    current_handler = handler;
}

_Noreturn void check_failed(const char *condition, const char *file, int line) {
    current_handler(condition, file, line);
    _exit(EXIT_OWN_BUG);
}
