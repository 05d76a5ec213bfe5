/* check.h - CHECK: our own invariants, on in every build.
 *
 * A failed CHECK is a bug of Heddle, never of the tested program, and says so. What happens then is
 * up to the process: the default prints and exits with code 6; the runtime inside a tested program
 * replaces it, since it must not use stdio there. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#define CHECK(condition) \
    (__builtin_expect(!!(condition), 1) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

typedef void check_handler(const char *condition, const char *file, int line);

/* Never returns, whatever the handler does. */
_Noreturn void check_failed(const char *condition, const char *file, int line);
void check_set_handler(check_handler *handler);

#endif
