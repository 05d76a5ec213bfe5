/* run.h - `heddle run`: explores a program. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

/* argv[0] is the name of the command. Returns the exit code. */
int run_main(int argc, char **argv);

#endif
