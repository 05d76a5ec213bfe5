/* strategy.h - who decides. A strategy never touches the system, owns no budget, prints nothing. */
#ifndef ENGINE_STRATEGY_H
#define ENGINE_STRATEGY_H

#include "base/pool.h"
#include "engine/branches.h"
#include "engine/minimised.h"
#include "engine/options.h"
#include "engine/strata.h"
#include "engine/system.h"

#define PICK_NOTHING UINT32_MAX
#define PICK_IDLE (UINT32_MAX - 1)
#define PICK_SEEN (UINT32_MAX - 2)
#define PICK_DEEP (UINT32_MAX - 3)

/* What a strategy that remembers states agrees upon with the engine, in place of `resume` and `returns`.
 * The engine itself repeats the decisions of the prefix: pick() is asked from the state after them on.
 * A new state comes with its fingerprint; at the end of an execution, so does the last one. */
enum { STRATEGY_ERROR = 200 };
struct remembering {
    /* By begin(): */
    bool goes_back; /* the state after the prefix is one that it knows */
    bool unshelve;  /* that state is the next of the shelf; the engine fills in prefix and bytes */
    /* By pick(): */
    bool keep; /* it will come back to the state at hand */
    bool
        shelve; /* it is put aside (also if no option was picked), with the decisions that led to it and these bytes */
    const void *bytes;
    uint32_t byte_count;
    bool wants_state;         /* by begin(): the engine says where the execution begins, */
    struct fingerprint state; /* as the last state before what it decides first */
    /* Borrowed, set by the engine. */
    struct strata *strata;
};

struct strategy;
struct strategy_ops {
    const char *name;
    const char *summary; /* one line for --help */
    bool exhaustive;     /* begin() returning false means: everything was explored, */
    bool unreduced; /* it leaves nothing out, so an execution that was cut off hides no other, */
    bool unless_queues;    /* unless session->queues_matter */
    bool unless_continued; /* unless session->continued */
    uint32_t bounds;       /* that it keeps to: a bit (1 << kind) each */
    bool by_observation;   /* it leaves out orders that nothing shows */
    bool names_branches;   /* it says what makes it branch, to self->branches */
    bool remembers_states; /* and goes by them: see struct remembering */
    bool has_members;   /* it is made of several: it fills in self->members, and sets self->lane */
    bool has_explorer;  /* it goes by a delaying explorer: --explorer */
    const char *strata; /* what it has strata of: "delays", "steps"; NULL: it has none */
    /* Memory for it comes from the pool and is never given back. */
    struct strategy *(*create)(struct pool *pool, const struct options *options);
    /* A new execution; false: nothing is left. Sets self->prefix. */
    bool (*begin)(struct strategy *self);
    /* The execution begins after so many decisions, at most `prefix`, before one of a schedule: those
     * need not be made again. NULL: it cannot. */
    void (*resume)(struct strategy *self, uint32_t decisions);
    /* An option, by its index below choice->count. Called at every state, also with one option.
     * PICK_NOTHING: whatever comes from here has been seen. PICK_IDLE: the last step, which this
     * execution was made for, was idle; whatever comes from here comes without it, too. PICK_SEEN: this
     * state was seen before. PICK_DEEP: this execution was to go so far and no further. Only a schedule
     * can be left without an option. */
    uint32_t (*pick)(struct strategy *self, const struct choice *choice);
    /* In place of pick(), which need not be called if this is true: the only live task is to move, which it
     * can. NULL: pick() is called always. */
    bool (*alone)(struct strategy *self, const struct pending *alone);
    /* It remembers states: the next one will have this fingerprint. NULL: it does not matter. */
    void (*expect)(struct strategy *self, const struct fingerprint *fingerprint);
    /* `last` is the state at the end; NULL if there is none to be seen: the execution failed. */
    void (*end)(struct strategy *self, enum outcome outcome, const struct choice *last);
    /* Called after end(): the share of the search that is over, in (0, 1], if every option of a state
     * weighs the same. NULL: it does not know. */
    double (*explored)(const struct strategy *self);
    /* A plain access, which is no operation. NULL: it does not matter. */
    void (*access)(struct strategy *self, uint64_t address, uint32_t size);
};
struct strategy {
    const struct strategy_ops *ops;
    const struct execution *execution; /* borrowed: the one under way, set by the engine */
    struct branches *branches;         /* borrowed, set by the engine: NULL if it names none */
    uint32_t prefix;                   /* so many decisions repeat the execution before */
    bool returns; /* another execution will come back to the state after them */
    bool
        racy; /* a data race was found: what the program does may depend on more than its operations */
    bool diverged;             /* what came was not what came before: uncontrolled nondeterminism */
    bool hid_options;          /* a bound kept options out of the search */
    bool unsure;               /* it may have left out orders that matter: nothing is verified */
    enum lacking lacks;        /* an option without which it cannot go on */
    const char *explorer;      /* name of the delaying explorer that it goes by, or NULL */
    int32_t delays;            /* of the execution under way; -1: it does not count them */
    struct remembering states; /* remembers_states */
    uint64_t stratum;          /* if it draws samples: from which it does now, */
    uint64_t samples;          /* and how many were drawn from all */
    uint32_t lane;             /* has_members: who decides now */
    struct members *members;   /* borrowed, set by the engine */
    bool private_memory;       /* set by the engine after an execution: see system.h */
    bool stateless;            /* likewise: its states cannot be compared */
    /* Of MODE_MINIMISE: */
    bool hurry;                  /* set by the engine: the budget is spent */
    bool evidence;               /* by begin(): this execution is recorded with stacks */
    struct minimised *minimised; /* borrowed, set by the engine: question and answer */
    /* At end(): what was found. Borrowed, set by the engine. */
    const struct finding *findings;
    uint32_t finding_count;
    char error[STRATEGY_ERROR]; /* not empty: it cannot go on, by the user's doing */
};

/* What is left on stacks matters, since states are compared. */
static inline bool strategy_compares_states(const struct strategy_ops *ops,
                                            const struct options *options) {
    return ops->remembers_states || (ops->has_members && options->races != RACES_REPORT);
}

/* The option that the decision means; at least choice->count if there is none. */
static inline uint32_t choice_option(const struct choice *choice, const struct decision *decision) {
    uint32_t option = 0;
    if (decision->tag != choice->tag)
        return choice->count;
    if (choice->tag != CHOICE_SCHEDULE)
        return decision->chosen;
    while (option < choice->count && choice->pending[option].task != decision->chosen)
        option++;
    return option;
}

/* For explored(), from the deepest state up to the first: `below` is the share of the option under way. */
static inline double explored_share(uint32_t finished, uint32_t options, double below) {
    return ((double)finished + below) / (double)options;
}

#endif
