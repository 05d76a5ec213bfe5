/* The expected value of a compare-exchange is in ordinary memory, which may have been freed.
 * expect: bug heap-misuse
 * findings: 1
 * text: read of 4 bytes */
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int word = 1;

int main(void) {
    int *volatile expected = malloc(sizeof *expected);
    *expected = 0;
    free(expected);
    atomic_compare_exchange_strong(&word, expected, 7);
    return 0;
}
