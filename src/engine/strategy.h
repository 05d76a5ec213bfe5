/* strategy.h - the interface of a strategy, which decides. A strategy never touches the system,
 * owns no budget and prints nothing.
 *
 * The engine calls begin() before each execution, which fills in a plan. It calls pick() at every
 * choice, which returns an option or a reason to stop. It calls end() after the execution, which
 * fills in a report.
 *
 * Some strategies go by states (GOES_BY_STATES). The engine repeats the decisions of the prefix by
 * itself, or loads a saved state. It calls pick() of such a strategy only from the end of its
 * prefix on, and gives it a fingerprint with each state that is new to it.
 *
 * What the engine tells all strategies is in struct strategy_inputs. What only some of them need,
 * such as the strata of the session, is in the context of create(), and those strategies keep a
 * pointer to it. A feature that cuts across strategies wraps one (strategies/wrapper.h). */
#ifndef ENGINE_STRATEGY_H
#define ENGINE_STRATEGY_H

#include "base/pool.h"
#include "base/fingerprint.h"
#include "engine/bound.h"
#include "engine/lacking.h"
#include "engine/system.h"

struct branches;
struct looks;
struct members;
struct minimised;
struct options;
struct strata;
struct strategy;

/* --- what begin(), pick() and end() say ------------------------------------------------------- */

enum plan_start {
    START_AFRESH,    /* with the program, or behind decisions of the prefix: see resume() */
    START_AT_PREFIX, /* GOES_BY_STATES: in the state after the prefix, which the strategy knows */
    START_ON_SHELF,  /* in the next state of the shelf; the engine fills in the prefix */
};

/* One execution, before it begins. Zeros mean that a strategy says nothing. */
struct plan {
    uint32_t prefix; /* number of decisions that repeat the execution before */
    enum plan_start start;
    bool returns;   /* another execution will come back to the state after the prefix */
    bool by_states; /* a strategy that goes by states decides in this execution */
    /* the engine writes the fingerprint of the state after the prefix to the inputs */
    bool wants_state;
    bool evidence;         /* the execution is recorded with stacks */
    uint32_t lane;         /* HAS_MEMBERS: the member that decides */
    struct strata *strata; /* by_states: where the engine counts what it keeps; borrowed */
};

/* Reasons to stop, in place of an option. Only at a schedule can a strategy stop at once. Within a
 * step the first option is taken, and the execution ends after the step. */
#define PICK_NOTHING UINT32_MAX /* all that comes from here has been seen */
/* the execution was made for its last step, which was idle */
#define PICK_IDLE (UINT32_MAX - 1)
#define PICK_SEEN (UINT32_MAX - 2)      /* the state was seen before */
#define PICK_DEEP (UINT32_MAX - 3)      /* the execution was to go no deeper */
#define PICK_DIVERGED (UINT32_MAX - 4)  /* the program does not repeat what it did before */
#define PICK_MISTAKEN (UINT32_MAX - 5)  /* the strategy cannot go on: see self->mistake */
#define PICK_STATELESS (UINT32_MAX - 6) /* only the engine's: the state cannot be recognised */

/* Filled in by pick(), if the strategy goes by states: what becomes of the state at hand. */
struct keep {
    bool stays;        /* the strategy will come back to the state from this execution */
    bool shelved;      /* the state is put aside with `bytes`, even if no option was picked */
    const void *bytes; /* borrowed until pick() is called again */
    uint32_t byte_count;
    uint32_t foreseen; /* transitions that are over, since they lead to states that were visited */
};

/* One execution, after its end. The engine fills in the values of an execution that counts
 * nothing. */
struct report {
    bool diverged; /* the execution is not the one that was to be repeated */
    /* number of delays in the execution; -1: the strategy does not count delays */
    int32_t delays;
    uint64_t stratum; /* the stratum from which the strategy draws samples now */
    uint64_t samples; /* number of samples drawn in all; 0: the strategy draws none */
    /* a finding of the strategy's own, which must follow from the events; borrowed, NULL: none */
    const struct finding *finding;
};

/* --- what the engine tells -------------------------------------------------------------------- */

/* Written by the engine. A strategy only reads them. */
struct strategy_inputs {
    const struct execution *execution; /* the execution under way; in end(), the one that is over */
    const struct finding *findings;    /* in end(): what was found in the execution */
    uint32_t finding_count;
    const void *bytes; /* START_ON_SHELF: the bytes that were put aside with the state */
    uint32_t byte_count;
    struct fingerprint state; /* plan.wants_state: fingerprint of the state after the prefix */
    /* a data race was found: the program may depend on more than its operations */
    bool racy;
    const struct looks *looks; /* KNOWS_LOOKS: which looks would have passed */
    bool private_memory;       /* the tasks of the program share nothing: see system.h */
    bool stateless;            /* the states of the program cannot be compared */
    /* the system, if the strategy may ask it where steps lead (system_foresees()); else NULL */
    struct system *foreseeing;
    bool hurry; /* the budget is spent: a strategy that has a last word says it now */
};

/* For create(). Borrowed; `options` is valid only until create() returns. */
struct strategy_context {
    struct pool *pool; /* the strategy's memory, which is never given back */
    const struct options *options;
    const struct strategy_inputs *inputs;
    struct branches *branches;   /* NAMES_BRANCHES: where the strategy says what makes it branch */
    struct strata *strata;       /* where the strategy counts strata, and the states in them */
    struct members *members;     /* HAS_MEMBERS: where the strategy says what each member did */
    struct minimised *minimised; /* MODE_MINIMISE: the question and the answer */
};

/* --- the strategy ----------------------------------------------------------------------------- */

struct strategy_ops {
    /* Returns false if no execution is left. */
    bool (*begin)(struct strategy *self, struct plan *plan);
    /* Returns an option, by its index below choice->count, or one of the reasons above. Called at
     * every choice, even if it has only one option. */
    uint32_t (*pick)(struct strategy *self, const struct choice *choice, struct keep *keep);
    /* `last` is the last state, or NULL if the execution failed and its state cannot be seen. NULL:
     * the strategy has nothing to do then. */
    void (*end)(struct strategy *self, enum outcome outcome, const struct choice *last,
                struct report *report);
    /* The execution begins behind so many decisions, at most plan.prefix, and in front of a
     * schedule. NULL: every execution begins with the program. */
    void (*resume)(struct strategy *self, uint32_t decisions);
    /* Called after end(). Returns the share of the search that is over, in (0, 1], if every option
     * of a state weighs the same. NULL: not known. */
    double (*explored)(const struct strategy *self);
    const struct strategy_hooks *hooks;   /* NULL: none */
    const struct strategy_sharing *share; /* NULL: the search cannot be shared */
};

/* What happens between two choices. Each function may be NULL. */
struct strategy_hooks {
    /* Called when the only live task is to move, and can. If it returns true, pick() is not
     * called. */
    bool (*alone)(struct strategy *self, const struct pending *alone);
    /* Tells the fingerprint of the next state. */
    void (*expect)(struct strategy *self, const struct fingerprint *fingerprint);
    /* Tells of a plain access, which is not an operation. */
    void (*access)(struct strategy *self, uint64_t address, uint32_t size);
    /* The same, but only within atomic sections. */
    void (*section_access)(struct strategy *self, uint64_t address, uint32_t size, bool write);
};

/* A part of a search: plain data of the strategy, without pointers, so that another process can
 * read it. */
struct work {
    void *bytes;
    uint32_t size, capacity;
};

/* How two workers share one search. Each execution belongs to exactly one of them. */
struct strategy_sharing {
    /* Called between two executions. Gives away a part of what is left, as large as possible.
     * Returns false if there is no part to spare. The bytes come from `pool`. */
    bool (*split)(struct strategy *self, struct work *work, struct pool *pool);
    /* Called before the first begin() of a new strategy, whose search is that part and no more. */
    void (*adopt)(struct strategy *self, const struct work *work);
};

struct strategy {
    const struct strategy_info *info;
    const struct strategy_ops *ops;
    const struct strategy_inputs *inputs; /* borrowed */
    const char *explorer;                 /* name of the delaying explorer, or NULL */
    /* PICK_MISTAKEN: what the user has done wrong; borrowed, or NULL */
    const char *mistake;
    enum lacking lacks; /* an option without which the strategy cannot go on */
    bool hid_options;   /* a bound kept options out of the search */
    /* the strategy may have left out orders that matter: nothing is verified */
    bool unsure;
};

/* --- what there is to know of a kind of strategy, before there is one ------------------------- */

enum strategy_trait {
    EXHAUSTIVE = 1 << 0, /* begin() returns false only when everything was explored */
    UNREDUCED = 1 << 1,  /* leaves nothing out, so an execution that was cut off hides no other */
    /* Leaves out orders that nothing shows. So the strategy is not exhaustive if the number of
     * waiting events mattered, or a release sequence was continued (struct observed). */
    BY_OBSERVATION = 1 << 2,
    NAMES_BRANCHES = 1 << 3, /* tells context.branches what makes the strategy branch */
    GOES_BY_STATES = 1 << 4, /* explores no state twice */
    HAS_MEMBERS = 1 << 5,    /* is made of several strategies */
    HAS_EXPLORER = 1 << 6,   /* has a delaying explorer (--explorer) */
    /* Knows that the look of a waiting loop blocks until it can pass (looks.h). To other strategies
     * each look is an operation that never blocks. */
    KNOWS_LOOKS = 1 << 7,
};

struct strategy_info {
    const char *name;
    const char *summary; /* one line for --help */
    const char *strata;  /* what the strategy has strata of: "delays", "steps"; NULL: no strata */
    uint32_t traits;     /* bits of enum strategy_trait */
    uint32_t bounds;     /* the bounds that the strategy keeps to: one bit (1 << kind) for each */
    struct strategy *(*create)(const struct strategy_context *context);
};

static inline bool strategy_has(const struct strategy_info *info, enum strategy_trait trait) {
    return info->traits & trait;
}

/* For create(). A strategy is the first member of a larger struct, which has this size. */
static inline void *strategy_new(const struct strategy_context *context, size_t size,
                                 const struct strategy_info *info, const struct strategy_ops *ops) {
    struct strategy *self = pool_alloc(context->pool, size);
    *self = (struct strategy){.info = info, .ops = ops, .inputs = context->inputs};
    return self;
}

static inline void strategy_end(struct strategy *self, enum outcome outcome,
                                const struct choice *last, struct report *report) {
    if (self->ops->end != NULL)
        self->ops->end(self, outcome, last, report);
}

/* Returns the unit of the strategy's strata, or of what it draws samples by. */
static inline const char *strategy_strata(const struct strategy_info *info) {
    return info->strata != NULL ? info->strata : "delays";
}

/* For explored(), which goes from the deepest state up to the first. `below` is the share of the
 * option under way. */
static inline double explored_share(uint32_t finished, uint32_t options, double below) {
    return ((double)finished + below) / (double)options;
}

#endif
