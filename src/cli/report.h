/* report.h - `heddle report`. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

int report_main(int argc, char **argv); /* argv[0] is the name of the command; an exit code */

#endif
