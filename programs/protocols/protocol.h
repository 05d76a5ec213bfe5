/* protocol.h - what the programs of this folder share: PROGRAM [PARTICIPANTS [BUG]].
 *
 * Each file is one protocol, as machines, with its environment: faults, losses, timers. BUG 0 is the
 * protocol as it should be; the others are mistakes that people make, each described in the file's
 * header, which tests read:
 *
 *     correct: 2 3                      sizes for which everything is to be verified
 *     bug 1 assertion at 2: what is wrong; the schedule that shows it.
 *
 * "assertion" is the kind of finding, "at 2" the number of participants that suffices. */
#ifndef PROTOCOLS_PROTOCOL_H
#define PROTOCOLS_PROTOCOL_H

#include <heddle/machine.h>

#include <stdio.h>
#include <stdlib.h>

/* Set before the machines begin, and read by all. */
static int participants;
static int bug;

/* `least` to `most` participants; bugs are 1 to `bugs`. */
static inline void protocol_arguments(int argc, char **argv, int least, int most, int bugs) {
    participants = argc > 1 ? atoi(argv[1]) : least;
    bug = argc > 2 ? atoi(argv[2]) : 0;
    if (participants < least || participants > most || bug < 0 || bug > bugs) {
        fprintf(stderr, "usage: %s [PARTICIPANTS %d to %d [BUG 0 to %d]]\n", argv[0], least, most,
                bugs);
        exit(2);
    }
}

#endif
