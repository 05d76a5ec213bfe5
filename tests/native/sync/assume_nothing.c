/* Nobody comes to an end: that is said.
 * expect: verified
 * executions: 0
 * text: but no execution comes to an end: assumptions drop them all */
#include <heddle/heddle.h>

int main(void) {
    heddle_assume(false);
    return 0;
}
