/* cc.h - `heddle cc` and `heddle c++`: the compiler, with Heddle's instrumentation and library. */
#ifndef CLI_CC_H
#define CLI_CC_H

#include <stdbool.h>

/* argv[0] is the name of the command, the rest is for the compiler. Returns the exit status of the
 * compiler; or 2 or 5, after one line on stderr, if Heddle cannot do what is asked. */
int cc_main(int argc, char **argv, bool cxx);

#endif
