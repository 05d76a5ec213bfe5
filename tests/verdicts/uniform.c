/* uniform.c - a number below 4, which is never 4.
 *
 * arc4random_uniform(4) has four values. --random=choose:4 explores all of them, so nothing is left
 * out. */
#include <stdlib.h>

#include <heddle/heddle.h>

int main(void) {
    heddle_assert(arc4random_uniform(4) != 4);
}
