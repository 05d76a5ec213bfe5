/* system.h - what can be tested. A substrate is one implementation.
 *
 * Laws: between calls everything is at rest and every task stands before its operation; the same
 * decisions give the same execution; identities do not depend on the schedule; another task's step
 * leaves the operation before which a task stands as it is, or turns it into one of another kind. */
#ifndef ENGINE_SYSTEM_H
#define ENGINE_SYSTEM_H

#include "base/fingerprint.h"
#include "base/image.h"
#include "event/event.h"
#include "trace/execution.h"
#include "trace/finding.h"

/* A live task and the operation before which it stands. */
struct pending {
    uint32_t task;
    bool idle; /* blocked: its last step was a loop that came round, and might as well be missing */
    const struct op *op;
};

/* A state with options. */
struct choice {
    enum choice_tag tag;
    uint32_t count;                /* options; for a schedule, the enabled tasks */
    uint32_t task;                 /* who chooses; for a schedule, who moved last, or NO_TASK */
    uint32_t live;                 /* schedule only: all live tasks, the enabled ones first, */
    const struct pending *pending; /* each part in the order of task numbers */
    /* Of the state; NULL unless the strategy remembers states, and this one is new to it. */
    const struct fingerprint *fingerprint;
};

enum outcome {
    OUTCOME_RUNNING,
    OUTCOME_ENDED,   /* the process ended, or every task did */
    OUTCOME_STUCK,   /* live tasks, and none is enabled */
    OUTCOME_ASSUMED, /* likewise, and one stands before an assumption that does not hold */
    OUTCOME_FAILED,  /* a finding ended it */
    OUTCOME_DROPPED, /* an assumption did not hold in the middle of a step */
    OUTCOME_BLOCKED, /* the strategy saw nothing new in going on (sleep set) */
    OUTCOME_IDLE,    /* likewise, since what it tried was only to wait (PICK_IDLE) */
    OUTCOME_DEEP,    /* as deep as the strategy wanted it (PICK_DEEP): others go further */
    OUTCOME_SEEN,    /* it came to a state that was seen before (PICK_SEEN) */
    OUTCOME_CUT,     /* longer than --max-steps */
    OUTCOME_RESTART, /* the system had to grow: it starts again, with the same decisions */
    OUTCOME_ERROR,   /* something that cannot be controlled: see session->error */
};

/* What a plain access does to the memory. Who frees it conflicts with all others, as who writes it. */
enum plain_access {
    PLAIN_READ,
    PLAIN_WRITE,
    PLAIN_FREE,
    IGNORED_READ, /* annotations of the program tell to ignore its data races */
    IGNORED_WRITE,
};

/* What the engine offers to the system it runs. */
struct host;
struct host_ops {
    /* A decision other than who moves; count > 1. */
    uint32_t (*choose)(struct host *host, enum choice_tag tag, uint32_t task, uint32_t count);
    /* A new event of the current step, to be filled; then `happened` once it is complete. */
    struct event *(*event)(struct host *host, uint32_t task, const struct op *op);
    void (*happened)(struct host *host, struct event *event);
    /* A plain access: no event, only for those analyses that want it. */
    void (*access)(struct host *host, uint32_t task, uint64_t address, uint32_t size,
                   enum plain_access what, uint64_t pc);
    /* Something is wrong; the finding is copied. */
    void (*found)(struct host *host, const struct finding *finding);
    /* A step is done and everything is at rest: the task that moves next, or NO_TASK to stop. `alone`:
     * where the only live task stands, if there is but one and it can move; else NULL. */
    uint32_t (*next)(struct host *host, const struct pending *alone);
};
struct host {
    const struct host_ops *ops;
    bool evidence;       /* this is the repetition that collects stacks */
    bool wants_accesses; /* there is somebody who wants to know of plain ones */
};

struct system;
struct system_ops {
    const char *name;
    bool private_memory; /* tasks share nothing but by operations: nothing can race */
    void (*start)(struct system *self, struct host *host);
    /* At rest: writes the whole state; false if that cannot be done here. NULL: never. */
    bool (*save)(struct system *self, struct image *image);
    /* Instead of start: goes on from a state that was saved in this process. */
    void (*load)(struct system *self, struct host *host, struct image *image);
    /* At rest, or at the end: of the whole state, as far as it decides what can still happen and be found.
     * Equal ones mean equal states; false if that cannot be said here. NULL: never. */
    bool (*fingerprint)(struct system *self, struct fingerprint *out);
    /* The schedule choice of the present state; what it points to holds until the next call. */
    void (*pending)(struct system *self, struct choice *choice);
    /* Moves an enabled task over its operation and up to its next one, then the one that the host
     * names, and so on until it names none. */
    void (*run)(struct system *self, uint32_t task);
    /* RUNNING while tasks may be enabled. */
    enum outcome (*outcome)(struct system *self);
    /* The n-th of those that would all have to move before this blocked task can: a lock's owner, its
     * readers, a joined task. NO_TASK: there are no more. */
    uint32_t (*holder)(struct system *self, uint32_t task, uint32_t nth);
    /* Another task can end the wait of this blocked one by cancelling it. NULL: never. */
    bool (*cancellable)(struct system *self, uint32_t task);
    /* The call stack of a task at rest or running, innermost first: `pc`, where it stands (0: nowhere
     * yet), then the calls that led there. How many were written. */
    uint32_t (*stack)(struct system *self, uint32_t task, uint64_t pc, uint64_t *pcs, uint32_t max);
    /* Calls the function so that nothing of that stays on a stack of the program, where it might be seen by
     * what looks at the program's state: what stays is the same if the function is NULL, and nothing is
     * called. NULL: there is nothing to see. */
    void (*unseen)(struct system *self, void (*function)(void *context), void *context);
};
struct system {
    const struct system_ops *ops;
};

static inline void system_unseen(struct system *system, void (*function)(void *context),
                                 void *context) {
    __asm__("" : "+r"(function)); /* there is one call, from one place, whatever it is */
    if (system->ops->unseen != NULL)
        system->ops->unseen(system, function, context);
    else if (function != NULL)
        function(context);
}

#endif
