/* pace.c - see pace.h.
 *
 * A step is looked at some 50 times a second. Its work is measured by the kernel. Sleep is not: where a look finds the
 * process asleep, the time since the last look counts as slept, unless that is long: then it was us who did not run (a
 * loaded machine, a container that was paused), and it counts as little. A process that is stopped, or wants to run and
 * may not, neither works nor sleeps: nothing counts. */
#define _GNU_SOURCE
#include "cli/pace.h"

#include <stdio.h>
#include <time.h>

enum { LOOK_MS = 100, MOSTLY = 10 };

static uint64_t cpu_ms(pid_t pid) {
    clockid_t clock;
    struct timespec time;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The state of its first thread stands behind the name, which may hold anything, brackets too. */
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
    return state == 'S' || state == 'D' || state == 'Z';
}

void pace_moved(struct pace *pace, pid_t pid, uint64_t now_ms) {
    *pace = (struct pace){.pid = pid, .seen_ms = now_ms, .start_ms = cpu_ms(pid)};
}

void pace_look(struct pace *pace, pid_t pid, uint64_t now_ms) {
    if (pid != pace->pid)
        pace_moved(pace, pid, now_ms);
    uint64_t passed = now_ms - pace->seen_ms, cpu = cpu_ms(pid);
    if (cpu > pace->start_ms)
        pace->cpu_ms = cpu - pace->start_ms;
    if (sleeps(pid))
        pace->asleep_ms += passed < LOOK_MS ? passed : LOOK_MS;
    pace->seen_ms = now_ms;
}

uint64_t pace_idle_ms(const struct pace *pace) {
    return pace->cpu_ms > pace->asleep_ms ? pace->cpu_ms : pace->asleep_ms;
}

bool pace_is_asleep(const struct pace *pace) {
    return pace->asleep_ms > MOSTLY * pace->cpu_ms;
}
