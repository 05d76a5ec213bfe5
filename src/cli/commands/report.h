/* report.h - `heddle report`. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

/* Argv[0] is the name of the command; returns an exit code. */
int report_main(int argc, char **argv);

#endif
