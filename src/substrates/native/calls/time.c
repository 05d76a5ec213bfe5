/* time.c - virtual time: sleeping never sleeps, and a clock shows what the task itself has
 * waited for.
 *
 * Each task has a clock of its own, which starts where its creator's clock stood. A task that
 * has seen what another one did is not behind the other's clock then (causal_time.h). Nothing
 * else relates the clocks: a task that sleeps for an hour may go on before one that sleeps for a
 * second, as it may natively on a loaded machine. So time orders nothing, and all orders are
 * explored. Constructors see a clock of this kind already.
 *
 * Reading a clock moves it, by a microsecond at first. A loop that waits for a deadline would
 * take very long at that pace. So the step doubles with each reading in a row: without an effect
 * in between, or from the same place in the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "substrates/native/calls/causal_time.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/calls/virtual_time.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/thread_end.h"

#define SECOND_NS 1000000000u
#define REALTIME_START_NS (1577836800u * (uint64_t)SECOND_NS) /* 2020-01-01 00:00:00 UTC */
#define MONOTONIC_START_NS (1000 * (uint64_t)SECOND_NS)       /* since "boot" */
#define TIMES_TICK_NS 10000000u /* 100 a second, as sysconf(_SC_CLK_TCK) says */
#define TICK_MIN_NS 1000u
#define TICK_MAX_NS 100000000u

/* The clock that constructors see. Main's clock goes on from there. */
static struct task early;

static struct task *who_reads(void) {
    return rt.current == NULL && before_main() ? &early : rt.current;
}

void clock_to_first_task(struct task *task) {
    task->clock.ns = early.clock.ns;
    if (task->clock.ns > 0)
        causal_time_begins();
}

/* A constructor has slept. */
static void early_sleep(uint64_t duration_ns) {
    if (before_main())
        early.clock.ns += duration_ns;
}

/* --- clocks --------------------------------------------------------------------------------- */

static uint64_t start_of(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return REALTIME_START_NS;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: return MONOTONIC_START_NS;
    default: return 0; /* processor time */
    }
}

/* The place from which the clock is read. C++ comes here through a function of its library, so
 * the caller counts too. */
static uint64_t place_of(const struct task *task, uint64_t pc) {
    return task->calls.depth
               ? pc ^ task->calls.records[(task->calls.depth - 1) % CALLS_MAX].pc << 16
               : pc;
}

void move_clock(struct task *task, uint64_t duration_ns) {
    task->clock.ns += duration_ns;
    if (causal_times.at == NULL && task != &early)
        causal_time_begins();
}

/* Each reading may differ from the last one, so reading is an effect, and a loop that waits for
 * a time is no waiting loop for spin.c. */
static uint64_t read_clock(struct task *task, clockid_t clock, uint64_t pc) {
    uint64_t place = place_of(task, pc);
    if (task->machine != NULL)
        machine_asks_for("a clock");
    bool in_a_row = task->effects == task->clock.effects || place == task->clock.place;
    uint64_t tick = in_a_row ? 2 * task->clock.tick_ns : TICK_MIN_NS;
    if (tick > TICK_MAX_NS)
        tick = TICK_MAX_NS;
    task->clock.tick_ns = tick < TICK_MIN_NS ? TICK_MIN_NS : tick;
    move_clock(task, task->clock.tick_ns);
    task->clock.effects = ++task->effects;
    task->clock.place = place;
    return start_of(clock) + task->clock.ns;
}

static struct timespec to_timespec(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
}

static bool valid(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND_NS;
}

static uint64_t to_ns(const struct timespec *time) {
    uint64_t seconds = (uint64_t)time->tv_sec, limit = UINT64_MAX / 4 / SECOND_NS;
    return (seconds < limit ? seconds : limit) * SECOND_NS + (uint64_t)time->tv_nsec;
}

void clock_reach(struct task *task, clockid_t clock, const struct timespec *deadline) {
    if (deadline == NULL || !valid(deadline))
        return;
    uint64_t moment = to_ns(deadline), now = start_of(clock) + task->clock.ns;
    if (moment > now)
        move_clock(task, moment - now);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.clock_gettime(clock, time);
    struct timespec now = to_timespec(read_clock(task, clock, CALLER));
    access_for((uint64_t)time, sizeof *time, true, CALLER);
    *time = now;
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.gettimeofday(time, zone);
    struct timespec now = to_timespec(read_clock(task, CLOCK_REALTIME, CALLER));
    access_for((uint64_t)time, sizeof *time, true, CALLER);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    if (zone != NULL)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

EXPORT time_t time(time_t *at) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.time(at);
    time_t now = (time_t)(read_clock(task, CLOCK_REALTIME, CALLER) / SECOND_NS);
    if (at != NULL) {
        access_for((uint64_t)at, sizeof *at, true, CALLER);
        *at = now;
    }
    return now;
}

EXPORT int timespec_get(struct timespec *time, int base) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.timespec_get(time, base);
    if (base != TIME_UTC)
        return 0;
    struct timespec now = to_timespec(read_clock(task, CLOCK_REALTIME, CALLER));
    access_for((uint64_t)time, sizeof *time, true, CALLER);
    *time = now;
    return base;
}

EXPORT clock_t clock(void) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.clock();
    return (clock_t)(read_clock(task, CLOCK_PROCESS_CPUTIME_ID, CALLER) / 1000);
}

EXPORT clock_t times(struct tms *usage) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.times(usage);
    clock_t now = (clock_t)(read_clock(task, CLOCK_PROCESS_CPUTIME_ID, CALLER) / TIMES_TICK_NS);
    if (usage != NULL)
        *usage = (struct tms){.tms_utime = now};
    return now;
}

EXPORT int getrusage(__rusage_who_t who, struct rusage *usage) {
    struct task *task = who_reads();
    if (task == NULL)
        return real.getrusage(who, usage);
    struct timespec now = to_timespec(read_clock(task, CLOCK_PROCESS_CPUTIME_ID, CALLER));
    *usage = (struct rusage){.ru_utime = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000}};
    return 0;
}

/* --- sleeping ------------------------------------------------------------------------------- */

void sleep_for(struct task *task, uint64_t duration_ns, uint64_t pc) {
    struct op op = {.kind = OP_SLEEP, .value = duration_ns, .pc = pc};
    struct event *event = perform_cancellable(task, &op, NULL, NULL);
    move_clock(task, duration_ns);
    happened(event);
}

static int sleep_checked(struct task *task, const struct timespec *time, uint64_t pc) {
    if (!valid(time))
        return EINVAL;
    sleep_for(task, to_ns(time), pc);
    return 0;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *rest) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_sleep(valid(time) ? to_ns(time) : 0);
        return real.nanosleep(time, rest);
    }
    int error = sleep_checked(task, time, CALLER);
    if (error != 0)
        errno = error;
    return error ? -1 : 0;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *rest) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_sleep(valid(time) && !(flags & TIMER_ABSTIME) ? to_ns(time) : 0);
        return real.clock_nanosleep(clock, flags, time, rest);
    }
    if (!(flags & TIMER_ABSTIME))
        return sleep_checked(task, time, CALLER);
    if (!valid(time))
        return EINVAL;
    uint64_t moment = to_ns(time), now = start_of(clock) + task->clock.ns;
    sleep_for(task, moment > now ? moment - now : 0, CALLER);
    return 0;
}

EXPORT int usleep(useconds_t duration_us) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_sleep((uint64_t)duration_us * 1000);
        return real.usleep(duration_us);
    }
    sleep_for(task, (uint64_t)duration_us * 1000, CALLER);
    return 0;
}

EXPORT unsigned int sleep(unsigned int duration_s) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_sleep((uint64_t)duration_s * SECOND_NS);
        return real.sleep(duration_s);
    }
    sleep_for(task, (uint64_t)duration_s * SECOND_NS, CALLER);
    return 0;
}

static int yield(struct task *task, uint64_t pc) {
    struct op op = {.kind = OP_YIELD, .pc = pc};
    happened(perform(task, &op, NULL, NULL));
    return 0;
}

EXPORT int sched_yield(void) {
    struct task *task = rt.current;
    return task == NULL ? real.sched_yield() : yield(task, CALLER);
}

/* The header turns pthread_yield into sched_yield, but old binaries call it by its name. */
EXPORT int old_pthread_yield(void) __asm__("pthread_yield");
int old_pthread_yield(void) {
    struct task *task = rt.current;
    return task == NULL ? real.sched_yield() : yield(task, CALLER);
}
