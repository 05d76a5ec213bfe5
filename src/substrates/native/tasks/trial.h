/* trial.h - what would a task do if its next operation read certain values? The answer comes from a
 * copy of the process (trial.c). */
#ifndef NATIVE_TRIAL_H
#define NATIVE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/looks.h"

struct event;
struct task;

enum trial_end {
    TRIAL_DIED,        /* the copy crashed, or took too long */
    TRIAL_FAILED,      /* the task did something that a copy cannot do */
    TRIAL_RETURNED,    /* as long as the last value stays, the task only looks, and goes round */
    TRIAL_ELSEWHERE,   /* the task came to something else */
    TRIAL_BACK,        /* the second value has led back to the first look, in the same state */
    TRIAL_BACK_MARKED, /* the same, in another state; and there was no third value */
};

enum { TRIAL_VALUES = 3 };

struct trial_values {
    uint64_t list[TRIAL_VALUES];
    uint32_t count;
    bool at_once; /* the second value comes right after the first look */
};

struct trial_result {
    enum trial_end end;
    bool from_start; /* TRIAL_RETURNED: the state before the first look is one that comes again */
    /* RETURNED: of the states that come again. ELSEWHERE: of the state in which the task came to
     * something else */
    uint64_t digest;
    bool fenced;        /* there was a fence that acquires */
    bool more_accesses; /* there were more plain accesses than there is room for */
    uint32_t access_count;
    struct look_access accesses[LOOK_ACCESSES];
};

/* True in the copy, and only there. */
extern bool trial_on;

/* The task stands before a look. In a copy of the process, this look and all further ones at the
 * same bytes read the first value until the state of the task comes again, then the second one. If
 * that leads back to the first look, in another state, they read the third one from there on.
 *
 * If the task runs, the copy returns from this function as well, with trial_on. Then the caller has
 * to go on to trial_performs() at once. */
struct trial_result trial_run(struct task *task, const struct trial_values *values);

/* The task performs its operation in the copy. */
struct event *trial_performs(struct task *task);

/* The program of the copy leaves its task: the trial ends. */
_Noreturn void trial_leaves(void);

#endif
