/* minimise.h - what the stages of minimising share. minimise.c says what they are. */
#ifndef STRATEGIES_MINIMISE_MINIMISE_H
#define STRATEGIES_MINIMISE_MINIMISE_H

#include "base/random.h"
#include "engine/strategy.h"
#include "strategies/follow.h"
#include "strategies/minimise/edits.h"
#include "strategies/minimise/tree.h"
#include "strategies/minimise/way.h"

/* What came of an execution. */
enum result {
    RESULT_TARGET,  /* the finding that is minimised, */
    RESULT_OTHER,   /* or another one */
    RESULT_PASSED,  /* it ended, and nothing is wrong */
    RESULT_CUT,     /* too long: nobody knows */
    RESULT_NOTHING, /* it does not count: dropped, or not gone on with */
};

struct minimise;

/* Executions for one purpose, one after the other. */
struct stage {
    void (*start)(struct minimise *self);
    bool (*begin)(struct minimise *self); /* the next one; false: none */
    uint32_t (*pick)(struct minimise *self, const struct choice *choice);
    void (*end)(struct minimise *self, enum result result);
    void (*finish)(struct minimise *self, bool complete); /* or the budget was spent */
};

struct minimise {
    struct strategy base;
    const struct execution *found; /* borrowed: the execution that the search came upon, */
    bool found_unfinished;         /* and left in the middle */
    uint64_t executions, budget;
    uint32_t stage;
    bool entered;          /* the stage at hand, */
    uint64_t spent_before; /* with so much of the budget, */
    bool started;          /* and its first execution */

    struct way way; /* of the execution under way */
    struct tree tree;
    struct follow follow;
    struct wishes wishes;

    struct execution best; /* the smallest that fails, so far */
    struct way best_way;
    struct measure best_measure;
    bool best_leaves_open;    /* minimise_leaves_open() of the best */
    struct execution passing; /* the nearest that passes; has_passing: there is one */
    bool has_passing;

    uint64_t target;           /* its signature */
    const struct finding *hit; /* of the execution that is over: the target */
    struct edits edits;
    struct random random;
    bool shortened;       /* no small change makes the best one smaller */
    uint32_t bound;       /* switches; see fewer.c */
    uint32_t tried;       /* all executions with fewer switches than this were, and none fails */
    uint32_t fewest;      /* switches of an execution that fails, however long */
    bool cut;             /* an execution keeps the stage from saying that all were tried */
    uint32_t at, other;   /* see nearest.c and turn.c */
    uint32_t critical;    /* the decision after which nothing passes, */
    bool critical_known;  /* if there is one, */
    bool critical_proven; /* and it is certain */
    uint32_t turn;        /* the decision that is the switch that matters, */
    uint32_t turned;      /* and who should have moved instead */
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

/* The execution that is over becomes the best. */
void minimise_accept(struct minimise *self);

/* The execution that is over does not tell what comes of other orders: other tasks could have moved before it
 * failed, or plain accesses race, whose orders are not tried. */
bool minimise_leaves_open(const struct minimise *self);

/* No execution with fewer switches than the best one fails in this way. */
bool minimise_is_proven(const struct minimise *self);

/* The execution under way costs more than the best one, however it goes on. */
bool minimise_is_larger(const struct minimise *self);

/* Follows the wishes from the start, or from where the last execution leaves them. */
void minimise_follow(struct minimise *self, const struct decision *wishes, uint32_t count);

#endif
