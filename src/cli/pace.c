/* pace.c - see pace.h. Who gets next to nothing is not waited for endlessly either: a tenth of the
 * clock counts in any case. */
#define _GNU_SOURCE
#include "cli/pace.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { STARVED = 10 };

static uint64_t cpu_ms(pid_t pid) {
    clockid_t clock;
    struct timespec time;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The state stands behind the name, which may hold anything, brackets too. */
static bool sleeps(pid_t pid) {
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return true;
    for (int c = getc(file), before = 0; c != EOF; before = c, c = getc(file))
        if (before == ')' && c == ' ')
            state = (char)getc(file);
    fclose(file);
    return state != 'R' && state != 'D';
}

void pace_moved(struct pace *pace, pid_t pid, uint64_t now_ms) {
    *pace = (struct pace){.pid = pid, .clock_ms = now_ms, .cpu_ms = cpu_ms(pid)};
}

uint64_t pace_idle_ms(const struct pace *pace, pid_t pid, uint64_t now_ms) {
    uint64_t clock = now_ms - pace->clock_ms;
    if (pid != pace->pid || sleeps(pid))
        return clock;
    uint64_t cpu = cpu_ms(pid) - pace->cpu_ms, least = clock / STARVED;
    return cpu > least ? cpu : least;
}
