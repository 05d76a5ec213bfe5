/* dropped.c - an assumption that never holds: both executions are dropped, and nothing is
 * verified. */
#include <heddle/heddle.h>

int main(void) {
    heddle_assume(heddle_choose(2) == 2);
}
