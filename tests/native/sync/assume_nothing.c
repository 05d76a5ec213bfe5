/* An assumption drops every execution, and the tool says so.
 * expect: undecided
 * executions: 0
 * text: assumptions drop every execution */
#include <heddle/heddle.h>

int main(void) {
    heddle_assume(false);
    return 0;
}
