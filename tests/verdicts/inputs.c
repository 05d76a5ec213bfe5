/* inputs.c - an assertion that fails for one input in 2^32.
 *
 * Here __VERIFIER_nondet_int() gives -1 .. 2, so 7 never comes: four executions, and none of them
 * fails. The verdict is "no bug within a bound", not *verified*. */
#include <heddle/heddle.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    heddle_assert(__VERIFIER_nondet_int() != 7);
}
