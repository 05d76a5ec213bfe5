/* inputs.c - an assertion that fails for one input in 2^32.
 *
 * __VERIFIER_nondet_int() gives -1 .. 2 here, so 7 never comes: four executions, none of which fails. That is no
 * bug within a bound, and not *verified*. */
#include <heddle/heddle.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    heddle_assert(__VERIFIER_nondet_int() != 7);
}
