/* show.h - `heddle show`: prints a trace for a reader. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

int show_main(int argc, char **argv);

#endif
