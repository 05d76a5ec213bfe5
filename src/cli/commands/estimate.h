/* estimate.h - `heddle estimate`: estimates the number of executions of a program by random
 * samples. */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

/* argv[0] is the name of the command. Returns the exit code. */
int estimate_main(int argc, char **argv);

#endif
