/* pace.h - how much time a process has really had. On a busy machine a second of the clock may be a
 * tenth of a second of work: a program is not to be blamed for that. */
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <stdint.h>
#include <sys/types.h>

struct pace {
    pid_t pid;
    uint64_t clock_ms, cpu_ms; /* at the last movement */
};

/* It moved. */
void pace_moved(struct pace *pace, pid_t pid, uint64_t now_ms);

/* The time that it has had since: that of the processor; but if it sleeps in the kernel, which costs
 * nothing, that of the clock. */
uint64_t pace_idle_ms(const struct pace *pace, pid_t pid, uint64_t now_ms);

#endif
