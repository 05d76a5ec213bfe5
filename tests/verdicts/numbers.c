/* numbers.c - an assertion that fails if rand() % 8 is 7, which is true for one number in eight.
 *
 * By default Heddle tries one sequence of numbers, and with the default seed its first number does
 * not fail. --random=choose:8 tries 0 .. 7 and fails. --random=choose:4 tries 0 .. 3 and does
 * not. */
#include <stdlib.h>

#include <heddle/heddle.h>

int main(void) {
    heddle_assert(rand() % 8 != 7);
}
