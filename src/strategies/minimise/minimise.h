/* minimise.h - what the stages of minimising share. The stages are described in minimise.c. */
#ifndef STRATEGIES_MINIMISE_MINIMISE_H
#define STRATEGIES_MINIMISE_MINIMISE_H

#include "base/random.h"
#include "engine/strategy.h"
#include "strategies/follow.h"
#include "strategies/minimise/edits.h"
#include "strategies/minimise/tree.h"
#include "strategies/minimise/way.h"

/* The result of an execution. */
enum result {
    RESULT_TARGET,  /* it has the finding that is minimised */
    RESULT_OTHER,   /* it has another finding */
    RESULT_PASSED,  /* it has ended, and nothing is wrong */
    RESULT_CUT,     /* it was too long: how it ends is not known */
    RESULT_NOTHING, /* it does not count: it was dropped, or left unfinished */
};

struct minimise;

/* A stage makes executions for one purpose, one after the other. */
struct stage {
    void (*start)(struct minimise *self);
    /* plans the next execution; returns false if there is none */
    bool (*begin)(struct minimise *self);
    uint32_t (*pick)(struct minimise *self, const struct choice *choice);
    void (*end)(struct minimise *self, enum result result);
    /* `complete` is false if the budget was spent first */
    void (*finish)(struct minimise *self, bool complete);
};

struct minimise {
    struct strategy base;
    /* borrowed: the execution in which the search has found the target */
    const struct execution *found;
    bool found_unfinished;       /* `found` was left unfinished */
    struct minimised *minimised; /* borrowed: the question and the answer */
    struct plan plan;            /* the plan of the next execution, made by a stage */
    uint64_t executions, budget;
    uint32_t stage;
    bool entered;          /* the stage at hand has begun */
    uint64_t spent_before; /* how much of the budget was spent before the stage at hand */
    bool started;          /* the stage at hand has begun an execution */

    struct way way; /* the decisions of the execution under way */
    struct tree tree;
    struct follow follow;
    struct wishes wishes;

    struct execution best; /* the smallest execution so far that fails in the same way */
    struct way best_way;
    struct measure best_measure;
    bool best_leaves_open;    /* minimise_leaves_open() for the best execution */
    struct execution passing; /* the nearest execution that passes, if has_passing */
    bool has_passing;

    uint64_t target; /* signature of the finding that is minimised */
    /* the target, as found in the execution that is over; NULL: not found */
    const struct finding *hit;
    struct edits edits;
    struct random random;
    bool diverged;  /* an execution that was to come again has come out differently */
    bool shortened; /* no small change makes the best execution smaller */
    uint32_t bound; /* number of switches allowed; see fewer.c */
    /* all executions with fewer switches than this were tried, and none fails */
    uint32_t tried;
    uint32_t fewest; /* fewest switches of any execution that fails, however long it is */
    /* some execution was cut or left open, so a stage cannot say that all were tried */
    bool cut;
    uint32_t at, other;   /* a decision, and an option or task for it; see nearest.c and turn.c */
    uint32_t critical;    /* the decision after which no execution passes */
    bool critical_known;  /* `critical` is set */
    bool critical_proven; /* it is certain that no execution passes after `critical` */
    uint32_t turn;        /* the decision that is the switch that matters */
    uint32_t turned;      /* the task that should have moved there instead */
    bool turn_known;
};

extern const struct stage shorten_stage; /* shorten.c */
extern const struct stage brief_stage;   /* sample.c */
extern const struct stage sample_stage;
extern const struct stage fewer_stage; /* fewer.c */
extern const struct stage shorter_stage;
extern const struct stage nearby_stage; /* nearest.c */
extern const struct stage after_stage;
extern const struct stage turn_stage; /* turn.c */

/* Makes the execution that is over the best one. */
void minimise_accept(struct minimise *self);

/* Returns true if the execution that is over leaves open what other orders do: other tasks could
 * have moved before it failed, or plain accesses race, whose orders are not tried. */
bool minimise_leaves_open(const struct minimise *self);

/* Returns true if no execution with fewer switches than the best one fails in the same way. */
bool minimise_is_proven(const struct minimise *self);

/* Returns true if the execution under way costs more than the best one, however it goes on. */
bool minimise_is_larger(const struct minimise *self);

/* Follows the wishes. The execution begins where the wishes leave the last execution, or at the
 * start. */
void minimise_follow(struct minimise *self, const struct decision *wishes, uint32_t count);

#endif
