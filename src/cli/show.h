/* show.h - `heddle show`: a trace for people. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

int show_main(int argc, char **argv);

#endif
