/* real.c - finds the functions behind ours. The C library has two versions of condition
 * variables, and dlsym would give the old one, so the version is asked for. */
#define _GNU_SOURCE
#include "substrates/native/calls/real.h"

#include <dlfcn.h>
#include <string.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/calls/signal.h"

struct real_functions real;

static void *next_symbol(const char *name) {
    void *symbol = NULL;
    if (strncmp(name, "pthread_cond_", 13) == 0)
        symbol = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return symbol != NULL ? symbol : dlsym(RTLD_NEXT, name);
}

void real_resolve(void) {
    if (real.pthread_create != NULL)
        return;
#define REAL(function) *(void **)&real.function = next_symbol(#function);
#include "substrates/native/calls/real_functions.def"
#undef REAL
    calls_resolve();
    jump_resolve(next_symbol("__sigsetjmp"));
}

void *real_start_main(void) {
    return dlsym(RTLD_NEXT, "__libc_start_main");
}
