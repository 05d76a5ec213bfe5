/* system.h - the interface of a system: something that can be tested. A substrate implements a
 * system.
 *
 * Laws: between calls everything is at rest, and every task stands before its operation. The same
 * decisions give the same execution. Identities do not depend on the schedule. If a task stands
 * before an operation, the steps of other tasks leave this operation as it is, or turn it into one
 * of another kind. */
#ifndef ENGINE_SYSTEM_H
#define ENGINE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "execution/execution.h"

struct fingerprint;
struct finding;
struct image;
struct op;

/* A live task and the operation before which it stands. */
struct pending {
    uint32_t task;
    /* blocked because a loop came round in its last step; the execution is the same without that
     * step */
    bool idle : 1;
    uint32_t look : 31; /* the number of the operation as a look that blocks (looks.h), or 0 */
    const struct op *op;
};

/* A state with options, of which the strategy picks one. */
struct choice {
    enum choice_tag tag;
    uint32_t count; /* the number of options; for a schedule, of enabled tasks */
    uint32_t task; /* the task that chooses; for a schedule, the task that moved last, or NO_TASK */
    uint32_t live; /* schedule only: the number of live tasks */
    /* the live tasks, the enabled ones first; each part is in the order of task numbers */
    const struct pending *pending;
    /* Counts the choices of a system that says what has changed; 0: it does not say so. `changed`
     * has the places in `pending` of the tasks that stand otherwise than in the choice before: the
     * task that moved, new ones, and those that are blocked or enabled or stand before an operation
     * of another kind since then. Tasks that do not live any more are not among them. */
    uint64_t number;
    uint32_t changed_count;
    const uint32_t *changed;
    /* The fingerprint of the state. NULL unless the strategy remembers states and this state is new
     * to it. */
    const struct fingerprint *fingerprint;
};

/* The option of a schedule by which that task moves; choice->count if the task is not enabled. */
static inline uint32_t choice_of_task(const struct choice *choice, uint32_t task) {
    uint32_t option = 0;
    while (option < choice->count && choice->pending[option].task != task)
        option++;
    return option;
}

/* The option that was taken if `chosen` is what a decision says; at least choice->count if there is
 * none. */
static inline uint32_t choice_of_chosen(const struct choice *choice, uint32_t chosen) {
    return choice->tag == CHOICE_SCHEDULE ? choice_of_task(choice, chosen) : chosen;
}

/* The option that the decision means; at least choice->count if there is none. */
static inline uint32_t choice_option(const struct choice *choice, const struct decision *decision) {
    return decision->tag == choice->tag ? choice_of_chosen(choice, decision->chosen)
                                        : choice->count;
}

enum outcome {
    OUTCOME_RUNNING,
    OUTCOME_ENDED,   /* the process ended, or every task did */
    OUTCOME_STUCK,   /* there are live tasks, and none is enabled */
    OUTCOME_ASSUMED, /* the same, and one task stands before an assumption that does not hold */
    OUTCOME_FAILED,  /* a finding ended it */
    OUTCOME_DROPPED, /* an assumption did not hold in the middle of a step */
    OUTCOME_BLOCKED, /* the strategy ended it: all continuations were explored (sleep set) */
    /* the strategy ended it: the tried sequence ended in a waiting loop (PICK_IDLE) */
    OUTCOME_IDLE,
    OUTCOME_DEEP,    /* the strategy ended it at a depth (PICK_DEEP); other executions go further */
    OUTCOME_SEEN,    /* the strategy ended it in a state that was seen before (PICK_SEEN) */
    OUTCOME_CUT,     /* longer than --max-steps */
    OUTCOME_RESTART, /* the system had to grow: it starts again, with the same decisions */
    OUTCOME_ERROR,   /* something that cannot be controlled: see session->result.failure.text */
};

/* The effect of a plain access on the memory. Freeing memory conflicts with all other accesses,
 * like writing it. */
enum plain_access {
    PLAIN_READ,
    PLAIN_WRITE,
    PLAIN_FREE,
    LOOK_READ, /* an atomic read or write by a look of a waiting loop that is left out (looks.h) */
    LOOK_WRITE,
    /* Between these two, the accesses are those of a round that is left out. The look before them
     * has acquired what the value at this address released. */
    ROUND_BEGINS,
    ROUND_ENDS,
    IGNORED_READ, /* annotations of the program ask to ignore data races of this access */
    IGNORED_WRITE,
};

static inline bool access_writes(enum plain_access what) {
    return what == PLAIN_WRITE || what == PLAIN_FREE || what == LOOK_WRITE || what == IGNORED_WRITE;
}

/* The engine, as the system sees it. */
struct host;
struct host_ops {
    /* Takes a decision other than which task moves. count > 1. */
    uint32_t (*choose)(struct host *host, enum choice_tag tag, uint32_t task, uint32_t count);
    /* Begins a new event of the current step. The caller fills it in, and calls `happened` when it
     * is complete. */
    struct event *(*event)(struct host *host, uint32_t task, const struct op *op);
    void (*happened)(struct host *host, struct event *event);
    /* A plain access. It becomes no event; only analyses that want it are told. */
    void (*access)(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                   enum plain_access what, uint64_t pc);
    /* Reports a finding, which is copied. */
    void (*found)(struct host *host, const struct finding *finding);
    /* The step under way leads to the state with this fingerprint. Called as soon as that is known,
     * if at all. */
    void (*expect)(struct host *host, const struct fingerprint *state);
    /* Called when a step is done and everything is at rest. Returns the task that moves next, or
     * NO_TASK to stop. If there is only one live task and it can move, `alone` is where it stands;
     * else NULL. */
    uint32_t (*next)(struct host *host, const struct pending *alone);
};
struct host {
    const struct host_ops *ops;
    bool evidence;       /* this is the repetition that collects stacks */
    bool wants_accesses; /* some analysis or strategy wants to know of plain accesses */
};

struct system;
struct system_ops {
    const char *name;
    bool private_memory; /* tasks share nothing except by operations, so there are no data races */
    void (*start)(struct system *self, struct host *host);
    /* Called at rest: writes the whole state. Returns false if this state cannot be saved. NULL: no
     * state can be saved. */
    bool (*save)(struct system *self, struct image *image);
    /* Called instead of start(): goes on from a state that was saved in this process. */
    void (*load)(struct system *self, struct host *host, struct image *image);
    /* Called at rest or at the end: the fingerprint of everything in the state that decides what
     * can still happen and be found. Equal fingerprints mean equal states. Returns false if the
     * state has no fingerprint. NULL: no state has one. */
    bool (*fingerprint)(struct system *self, struct fingerprint *out);
    /* Called at rest: the fingerprint of the state to which the step of an enabled task leads.
     * Returns false if that is not known without making the step, or if the step has a choice, or
     * if nobody can move after it. NULL: never known. */
    bool (*foresee)(struct system *self, uint32_t task, struct fingerprint *out);
    /* The schedule choice of the present state. Its pointers are valid until the next call. */
    void (*pending)(struct system *self, struct choice *choice);
    /* Moves an enabled task over its operation and up to its next one, then the task that the host
     * names, and so on until the host names none. The host is asked after every step, also after
     * the last one. */
    void (*run)(struct system *self, uint32_t task);
    /* RUNNING while tasks may be enabled. */
    enum outcome (*outcome)(struct system *self);
    /* Several tasks may have to move before a blocked task can: the owner of a lock, its readers, a
     * joined task. Returns the n-th of them, or NO_TASK if there are no more. */
    uint32_t (*holder)(struct system *self, uint32_t task, uint32_t nth);
    /* Returns true if another task can end the wait of this blocked task by cancelling it. NULL:
     * never. */
    bool (*cancellable)(struct system *self, uint32_t task);
    /* The call stack of a task at rest or running, innermost first: `pc` is where the task stands
     * (0: not known), then come the calls that led there. Returns how many were written. */
    uint32_t (*stack)(struct system *self, uint32_t task, uint64_t pc, uint64_t *pcs, uint32_t max);
    /* Calls the function so that nothing of the call stays on a stack of the program. Otherwise
     * code that looks at the state of the program might see it. If the function is NULL, nothing is
     * called, and the stack is left in the same way. NULL: this is not needed. */
    void (*unseen)(struct system *self, void (*function)(void *context), void *context);
};
struct system {
    const struct system_ops *ops;
};

static inline bool system_foresees(struct system *system, uint32_t task, struct fingerprint *out) {
    return system->ops->foresee != NULL && system->ops->foresee(system, task, out);
}

static inline void system_unseen(struct system *system, void (*function)(void *context),
                                 void *context) {
    __asm__("" : "+r"(function)); /* so there is one call, from one place, for all functions */
    if (system->ops->unseen != NULL)
        system->ops->unseen(system, function, context);
    else if (function != NULL)
        function(context);
}

#endif
