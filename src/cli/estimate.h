/* estimate.h - `heddle estimate`: how many executions a program has, by random samples. */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

/* argv[0] is the name of the command. Returns the exit code. */
int estimate_main(int argc, char **argv);

#endif
