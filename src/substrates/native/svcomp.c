/* svcomp.c - the names that benchmarks of the software verification competition (SV-COMP) use.
 *
 * A nondeterministic value of a small type is explored exhaustively. Of a larger type, only four
 * values are explored: 0 .. 3 for unsigned types, -1 .. 2 for signed ones. This is a bound,
 * which the ledger and the verdict name. */
#include <heddle/heddle.h>

#include "substrates/native/interpose.h"
#include "substrates/native/tasks/outcome.h"

enum { SMALL_RANGE = 4 };

static long nondet(const char *call, int count, int from, uint64_t pc) {
    if (rt.current != NULL && count == SMALL_RANGE)
        narrowed(call, "only four values are explored", pc);
    return from + heddle_choose(count);
}

#define UNSIGNED(name, type) \
    EXPORT type __VERIFIER_nondet_##name(void) { \
        return (type)nondet("__VERIFIER_nondet_" #name, SMALL_RANGE, 0, CALLER); \
    }
#define SIGNED(name, type) \
    EXPORT type __VERIFIER_nondet_##name(void) { \
        return (type)nondet("__VERIFIER_nondet_" #name, SMALL_RANGE, -1, CALLER); \
    }

SIGNED(char, char)
SIGNED(short, short)
SIGNED(int, int)
SIGNED(long, long)
SIGNED(longlong, long long)
SIGNED(float, float)
SIGNED(double, double)
SIGNED(loff_t, long)
SIGNED(int128, __int128)
UNSIGNED(uchar, unsigned char)
UNSIGNED(ushort, unsigned short)
UNSIGNED(uint, unsigned int)
UNSIGNED(unsigned, unsigned int)
UNSIGNED(ulong, unsigned long)
UNSIGNED(ulonglong, unsigned long long)
UNSIGNED(size_t, size_t)
UNSIGNED(u8, unsigned char)
UNSIGNED(u16, unsigned short)
UNSIGNED(u32, unsigned int)
UNSIGNED(uint128, unsigned __int128)
UNSIGNED(pthread_t, unsigned long)

EXPORT _Bool __VERIFIER_nondet_bool(void) {
    return nondet("__VERIFIER_nondet_bool", 2, 0, CALLER) != 0;
}

EXPORT void *__VERIFIER_nondet_pointer(void) {
    if (rt.current != NULL)
        narrowed("__VERIFIER_nondet_pointer", "only the null pointer is explored", CALLER);
    return NULL;
}

EXPORT void __VERIFIER_assume(int condition) {
    heddle_assume(condition != 0);
}

EXPORT void __VERIFIER_atomic_begin(void) {
    heddle_atomic_begin();
}

EXPORT void __VERIFIER_atomic_end(void) {
    heddle_atomic_end();
}

/* Weak, because most benchmarks define this function themselves, by an assertion. */
EXPORT __attribute__((weak)) void reach_error(void) {
    heddle_assertion_failed("reach_error() is not reached", "", 0);
}

EXPORT __attribute__((weak)) void __VERIFIER_error(void) {
    heddle_assertion_failed("__VERIFIER_error() is not reached", "", 0);
}

EXPORT __attribute__((weak)) void __VERIFIER_assert(int condition) {
    if (!condition)
        heddle_assertion_failed("__VERIFIER_assert", "", 0);
}
