/* pace.c - see pace.h.
 *
 * The supervisor looks at a step about 50 times a second. The kernel measures the CPU time of the
 * step, but not its sleep. If the process is asleep at a look, the time since the last look counts
 * as slept. If that time is long, the supervisor itself did not run (a loaded machine, a paused
 * container), and only a part of it counts. A process that is stopped, or that is ready to run but
 * gets no processor, neither works nor sleeps: nothing counts. */
#define _GNU_SOURCE
#include "cli/supervise/pace.h"

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

/* Reads the state of the process's first thread. The state stands after the name, which may contain
 * anything, even brackets. */
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
