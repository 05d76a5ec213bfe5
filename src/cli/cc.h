/* cc.h - `heddle cc` and `heddle c++`: the compiler, with Heddle's instrumentation and library. */
#ifndef CLI_CC_H
#define CLI_CC_H

#include <stdbool.h>

/* argv[0] is the name of the command, the rest is meant for the compiler. Returns the exit status:
 * the compiler's own, or 2 or 5 with one line on stderr where Heddle cannot do what is asked. */
int cc_main(int argc, char **argv, bool cxx);

#endif
