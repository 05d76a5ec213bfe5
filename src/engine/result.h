/* result.h - the results of a search. They grow while the search runs, and stay when it is over. */
#ifndef ENGINE_RESULT_H
#define ENGINE_RESULT_H

#include "engine/counters.h"
#include "engine/deepen.h"
#include "engine/estimate.h"
#include "engine/found.h"
#include "engine/leaving.h"
#include "engine/ledger.h"
#include "engine/members.h"
#include "engine/minimised.h"
#include "engine/lacking.h"
#include "engine/options.h"
#include "engine/program.h"
#include "engine/rounds.h"
#include "engine/sampling.h"
#include "engine/strata.h"
#include "engine/verdict.h"

struct branches;
struct coverage;
struct tree;

enum stopped { STOPPED_NOT, STOPPED_BY_TIMEOUT, STOPPED_BY_INTERRUPT };

enum { EARLIER_TEXT = 440 };

/* How the search came to its end. */
struct search_result {
    bool
        /* there is a search: set before its first execution. Until then the whole result is zero */
        begun;
    enum stopped stopped; /* from the supervisor */
    bool stateless;       /* the strategy failed because states cannot be saved and compared */
    enum leaving leaving; /* why the search ended so that another strategy can go on */
    /* from the supervisor: what the stages before this one did not decide; empty: they decided all,
     * or there are none */
    char earlier[EARLIER_TEXT];
    bool exhausted; /* the strategy has nothing left */
    bool bound_cut; /* a bound (preemptions, delays, divergences) hid options */
    bool unsure;    /* the strategy is unsure, see strategy.h */
    /* the search is given up, and begins again with this option, which it lacked */
    enum lacking lacks;
    char library[LIBRARY_TEXT]; /* LACKS_LIBRARY: the library to add to options.libraries */
    char loop[LOOP_TEXT];       /* LACKS_LOOP: the place to add to options.loops */
};

/* How far the search came, as its strategy counts. */
struct reached {
    struct deepening deepening;
    struct strata strata;
    struct sampling sampling;
    struct members members; /* of a portfolio */
};

/* How large the search is. */
struct scale {
    struct estimate estimate;
    struct samples samples; /* options.sample */
    struct rounds rounds;   /* the tasks that go round in the longest execution */
    uint32_t least_steps;   /* of the shortest complete execution; 0: there is none so far */
};

/* An execution of so many steps is complete. */
static inline void scale_end(struct scale *scale, uint32_t steps) {
    if (steps > 0 && (scale->least_steps == 0 || steps < scale->least_steps))
        scale->least_steps = steps;
}

/* Facts about the executions. Each of them limits what the verdict may say. */
struct observed {
    bool threads;       /* more than one task existed */
    bool machines;      /* the program consists of machines, which share nothing */
    bool queues_matter; /* the number of events that waited at a machine mattered */
    bool random_fixed;  /* the program asked for random numbers, and one sequence was explored */
    bool weak_orders;   /* the program used a memory order weaker than seq_cst */
    bool unordered;     /* options.races_by_states: there may be data races that no state shows */
    /* an acquire depends on a release sequence that continues in C11 and ends in C++20 */
    bool unjudged; /* a search by states had no use for an analysis that finds bugs */
    bool continued;
    bool annotated; /* there is a data race that annotations of the program ask to ignore */
    bool plain_instrumented; /* instrumented code ran at all */
};

/* Records of the executions, for readers. */
struct records {
    struct branches *branches; /* NULL: the strategy reports no branches */
    struct tree *tree;         /* NULL unless options.tree */
    struct coverage *coverage; /* NULL unless options.coverage */
};

/* The parts of the program that Heddle does not see. From the supervisor, which examines the
 * program's files. */
struct unseen_parts {
    bool
        accesses; /* the program was not compiled by `heddle cc`: only its library calls are seen */
    char code[200]; /* the names of files whose code synchronises unseen; empty: there are none */
};

enum { FAILURE_TEXT = 600, FAILURE_PLACE = 512 };

/* Why the search cannot go on: the program is not supported, or Heddle has a bug. */
struct failure {
    char text[FAILURE_TEXT]; /* empty: the search can go on */
    uint64_t pc;
    enum verdict verdict;
    bool outside;              /* the supervisor noticed the failure, not the runtime */
    char place[FAILURE_PLACE]; /* from the supervisor: the source line of `pc`; empty: unknown */
};

/* Uncontrolled nondeterminism: the first place at which a repeated execution differs. */
struct difference {
    char text[FAILURE_TEXT]; /* empty: no execution differed */
    uint64_t pc;
    char place[FAILURE_PLACE]; /* from the supervisor: the source line of `pc`; empty: unknown */
};

struct result {
    struct counters counters;
    struct search_result search;
    struct observed observed;
    struct unseen_parts unseen;
    struct found found;
    struct failure failure;
    struct difference difference;
    struct ledger ledger;
    struct reached reached;
    struct scale scale;
    struct records records;
    struct minimised minimised; /* MODE_MINIMISE */
    struct modules modules;
    struct task_names tasks;
    char explorer_name[64]; /* the name of the delaying explorer, if there is one */
};

/* The executions that the search under way has begun: with --deepen, those within its bound. */
static inline uint64_t result_begun_now(const struct result *result) {
    return counters_begun(&result->counters) - result->reached.deepening.begun;
}

/* About how many executions are left. Returns false if there is no estimate, or if executions get
 * longer and longer. */
static inline bool result_left(const struct result *result, struct estimate_left *left) {
    return !rounds_grow(&result->scale.rounds) &&
           estimate_read(&result->scale.estimate, result_begun_now(result), left);
}

/* Adds the result of another worker to `into`: both have explored a part of one search. What is
 * copied comes from `pool`, so `from` may go afterwards. A result that is all zeros changes
 * nothing.
 *
 * Returns false, and changes nothing, if the two cannot be compared: they give one number to
 * different tasks, or have loaded a file at different addresses. */
bool result_merge(struct result *into, const struct result *from, struct pool *pool);

#endif
