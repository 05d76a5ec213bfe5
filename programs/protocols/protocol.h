/* protocol.h - shared by the programs of this folder, which are called as PROGRAM [PARTICIPANTS
 * [BUG]].
 *
 * Each file is one protocol, written as machines, together with its environment: faults, losses,
 * timers. BUG 0 is the correct protocol. The other numbers are typical mistakes. The head comment
 * of the file describes each of them, in lines that tests read:
 *
 *     correct: 2 3                      sizes at which Heddle must report "verified"
 *     bug 1 assertion at 2: what is wrong, and a schedule that shows it.
 *
 * "assertion" is the kind of the finding. "at 2" is a number of participants that is enough to show
 * it. */
#ifndef PROTOCOLS_PROTOCOL_H
#define PROTOCOLS_PROTOCOL_H

#include <heddle/machine.h>

#include <stdio.h>
#include <stdlib.h>

/* main sets these before the machines start; all machines read them. */
static int participants;
static int bug;

/* Reads the arguments. The program takes `least` to `most` participants and has the bugs 1 to
 * `bugs`. */
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
