/* pace.h - measures how much time a step has really had. On a busy machine a second of real time
 * may be a tenth of a second of work, and this must not count against the program. */
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pace {
    pid_t pid;
    uint64_t seen_ms;   /* real time of the last look */
    uint64_t start_ms;  /* CPU time of the process when it moved last */
    uint64_t cpu_ms;    /* CPU time since the process moved last */
    uint64_t asleep_ms; /* real time that it has slept in the kernel since it moved last */
};

/* Call this when the program has made progress: measuring starts anew. */
void pace_moved(struct pace *pace, pid_t pid, uint64_t now_ms);

/* Call this when the program has made no progress since the last look. */
void pace_look(struct pace *pace, pid_t pid, uint64_t now_ms);

/* Returns the time that the step has had: its CPU time or its sleep, whichever is more. */
uint64_t pace_idle_ms(const struct pace *pace);

/* Returns true if the step's sleep exceeds ten times its CPU time. */
bool pace_is_asleep(const struct pace *pace);

#endif
