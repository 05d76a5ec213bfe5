/* Nobody comes to an end: that is said.
 * expect: undecided
 * executions: 0
 * text: assumptions drop every execution */
#include <heddle/heddle.h>

int main(void) {
    heddle_assume(false);
    return 0;
}
