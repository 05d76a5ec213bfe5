/* futex.c - futexes: waiting and waking, with and without bit sets. The C++ library waits on
 * atomics, semaphores, latches and barriers by them.
 *
 * A wait first compares the word (FUTEX_WAIT). If the word is as expected, the task then stands
 * at FUTEX_SLEEP until it is woken or times out. A call that wakes only some of the sleepers
 * chooses which: the kernel promises no order. Nothing is kept in the program's word or beside
 * it (see sleepers.c). A futex orders nothing; happens-before comes from the atomics around the
 * calls. */
#define _GNU_SOURCE
#include "substrates/native/sync/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <stdio.h>

#include "engine/session.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/runtime.h"
#include "substrates/native/sync/sleepers.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"

struct futex_wait {
    uint32_t *word;
    uint32_t expected;
    uint32_t bits;
    clockid_t clock;
    const struct timespec *deadline; /* borrowed; NULL: none */
    bool relative;                   /* a duration, not a moment */
    uint64_t pc;
};

/* --- waiting ---------------------------------------------------------------------------------- */

static bool ready(const struct task *task) {
    return task->woken;
}

static const struct wait_ops sleep_wait = {.ready = ready};

/* The stages are functions of their own: see cond.c. */
static __attribute__((noinline)) bool is_as_expected(struct task *task,
                                                     const struct futex_wait *wait) {
    struct op op = {.kind = OP_FUTEX_WAIT,
                    .size = sizeof *wait->word,
                    .object = (uint64_t)wait->word,
                    .expected = wait->expected,
                    .pc = wait->pc};
    if (in_heap(op.object))
        heap_check(task, op.object, op.size, false, wait->pc);
    struct event *event = perform(task, &op, NULL, NULL);
    event->result = *(volatile uint32_t *)wait->word;
    bool expected = event->result == wait->expected;
    if (!expected) {
        event->flags |= EVENT_FAILED;
        spin_read(task, wait->word, sizeof *wait->word);
    }
    happened(event);
    return expected;
}

static void let_time_pass(struct task *task, const struct futex_wait *wait) {
    const struct timespec *time = wait->deadline;
    if (wait->relative)
        move_clock(task, (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec);
    else
        clock_reach(task, wait->clock, time);
}

static bool times_out(struct task *task, const struct futex_wait *wait) {
    if (wait->deadline == NULL)
        return false;
    return !rt.session->request.options.spurious_wakeups || choose(task, CHOICE_TIMEOUT, 2) == 0;
}

static __attribute__((noinline)) long sleep_on(struct task *task, const struct futex_wait *wait) {
    struct op op = {.kind = OP_FUTEX_SLEEP,
                    .size = sizeof *wait->word,
                    .timed = wait->deadline != NULL,
                    .object = (uint64_t)wait->word,
                    .wakers = wait->bits,
                    .pc = wait->pc};
    long result = 0;
    task->woken = false;
    bool may_leave = op.timed || rt.session->request.options.spurious_wakeups;
    struct event *event = perform(task, &op, may_leave ? NULL : &sleep_wait, NULL);
    if (task->woken) {
        task->effects++;
    } else if (times_out(task, wait)) {
        event->flags |= EVENT_TIMED_OUT;
        let_time_pass(task, wait);
        result = -ETIMEDOUT;
    }
    happened(event);
    return result;
}

static long wait_on(struct task *task, const struct futex_wait *wait) {
    bool timed = wait->deadline != NULL;
    if (wait->bits == 0 || (timed && !deadline_valid(wait->deadline)))
        return -EINVAL;
    return is_as_expected(task, wait) ? sleep_on(task, wait) : -EAGAIN;
}

/* --- waking ----------------------------------------------------------------------------------- */

static uint32_t keep_matching(struct task **sleepers, uint32_t count, uint32_t bits) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sleepers[i]->op.wakers & bits)
            sleepers[kept++] = sleepers[i];
    return kept;
}

static void wake_one_of(struct task *task, struct task **sleepers, uint32_t count, bool all) {
    uint32_t chosen = all ? count - 1 : choose(task, CHOICE_WAKE, count);
    sleepers[chosen]->woken = true;
    sleepers[chosen]->wait = &sleep_wait;
    for (; chosen + 1 < count; chosen++)
        sleepers[chosen] = sleepers[chosen + 1];
}

static long wake(struct task *task, uint32_t *word, uint32_t limit, uint32_t bits, uint64_t pc) {
    struct op op = {.kind = OP_FUTEX_WAKE,
                    .size = sizeof *word,
                    .object = (uint64_t)word,
                    .value = limit,
                    .pc = pc};
    uint32_t count, woken = 0;
    if (bits == 0)
        return -EINVAL;
    struct event *event = perform(task, &op, NULL, NULL);
    struct task **sleepers = sleepers_on((uint64_t)word, &count);
    count = keep_matching(sleepers, count, bits);
    bool all = limit >= count;
    for (; count > 0 && woken < limit; count--, woken++)
        wake_one_of(task, sleepers, count, all);
    task->effects += woken > 0;
    event->woken = woken;
    happened(event);
    return woken;
}

/* --- the call --------------------------------------------------------------------------------- */

static _Noreturn void refuse(long operation, uint64_t pc) {
    static char call[32];
    snprintf(call, sizeof call, "syscall(SYS_futex, %ld)", operation);
    unsupported(call, pc, "of futexes, only waiting and waking are controlled");
}

/* word, operation, value, timeout, word2, value3 */
long futex_call(struct task *task, const long *arguments, uint64_t pc) {
    uint32_t *word = (uint32_t *)arguments[0];
    long operation = arguments[1] & FUTEX_CMD_MASK;
    bool with_bits = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
    uint32_t value = (uint32_t)arguments[2];
    uint32_t bits = with_bits ? (uint32_t)arguments[5] : FUTEX_BITSET_MATCH_ANY;
    struct futex_wait wait = {
        .word = word,
        .expected = value,
        .bits = bits,
        .clock = arguments[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
        .deadline = (const struct timespec *)arguments[3],
        .relative = operation == FUTEX_WAIT,
        .pc = pc,
    };
    switch (operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return wait_on(task, &wait);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(task, word, value, bits, pc);
    }
    refuse(operation, pc);
}
