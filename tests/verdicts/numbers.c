/* numbers.c - an assertion that fails if rand() % 8 is 7, which one number in eight is.
 *
 * One number of one sequence is tried by default, and by the default seed it is another one. --random=choose:8 has
 * 0 .. 7 and fails; --random=choose:4 has 0 .. 3 and does not. */
#include <stdlib.h>

#include <heddle/heddle.h>

int main(void) {
    heddle_assert(rand() % 8 != 7);
}
