/* check.h - CHECK: our own invariants, which are checked in every build.
 *
 * A failed CHECK is a bug of Heddle, never of the tested program, and the message says so. The
 * process decides what happens then. The default prints a message and exits with code 6. The
 * runtime inside a tested program replaces the default, because it must not use stdio. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#define CHECK(condition) \
    (__builtin_expect(!!(condition), 1) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

typedef void check_handler(const char *condition, const char *file, int line);

/* Never returns, even if the handler does. */
_Noreturn void check_failed(const char *condition, const char *file, int line);
void check_set_handler(check_handler *handler);

#endif
