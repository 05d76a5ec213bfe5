/* replay.h - `heddle replay`: runs exactly the same execution again. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

int replay_main(int argc, char **argv);

#endif
