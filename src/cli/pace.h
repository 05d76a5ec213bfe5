/* pace.h - how much time a step has really had. On a busy machine a second of the clock may be a tenth of a second of
 * work: a program is not to be blamed for that. */
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pace {
    pid_t pid;
    uint64_t seen_ms;   /* of the clock, at the last look */
    uint64_t start_ms;  /* of the processor, at the last movement */
    uint64_t cpu_ms;    /* of the processor, since then */
    uint64_t asleep_ms; /* of the clock, since then: as long as it slept in the kernel */
};

/* It moved. */
void pace_moved(struct pace *pace, pid_t pid, uint64_t now_ms);

/* It did not, since the last look. */
void pace_look(struct pace *pace, pid_t pid, uint64_t now_ms);

/* The time that the step has had: what it has worked, or what it has slept, whichever is more. */
uint64_t pace_idle_ms(const struct pace *pace);

/* Whether the step has slept rather than worked. */
bool pace_is_asleep(const struct pace *pace);

#endif
