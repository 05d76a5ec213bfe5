/* options.h - what the user asked for, as plain data: it is copied into the session. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/visited.h"
#include "engine/bound.h"

enum races_mode { RACES_REPORT, RACES_EXPLORE, RACES_IGNORE };
enum sequences_mode { SEQUENCES_C11, SEQUENCES_CXX20 }; /* does a store continue one? */
enum volatile_mode { VOLATILE_PLAIN, VOLATILE_ATOMIC }; /* for data races */
enum isolate_mode { ISOLATE_RESET, ISOLATE_FORK };
enum checkpoints_mode { CHECKPOINTS_ON, CHECKPOINTS_OFF };
enum halted_mode { HALTED_DROP, HALTED_REPORT };
enum numbers_mode { NUMBERS_ORDER, NUMBERS_NAMES };
enum session_mode {
    MODE_EXPLORE,
    MODE_REPLAY,   /* one execution, by the decisions in the session, with the program's output */
    MODE_CORPUS,   /* the schedules of earlier runs: see corpus.h */
    MODE_MINIMISE, /* smaller ones that fail like the one in the session: see minimised.h */
    MODE_SIMULATE, /* as the user says, one execution after the other: see dialogue.h */
};

enum {
    STRATEGY_NAME = 24,
    EXPLORER_NAME = 256,
    LIBRARIES_TEXT = 2048,
    LIBRARY_TEXT = 256,
    DEFAULT_MAX_STEPS = 100000,
    DEFAULT_RANDOM_EXECUTIONS = 10000
};
enum { DEFAULT_SLICE = 2000 };
enum { DEFAULT_DEPTH_STEP = 5 };                                                /* 000, table 2 */
enum { DEFAULT_PCT_STEPS = 5000, DEFAULT_PCT_DEPTH = 5, PCT_DEPTH_MAX = 1000 }; /* 001, 6.1 */

enum cache_mode {
    CACHE_PROGRAM, /* states of the program */
    CACHE_PAIR,    /* with the explorer's: only to measure what that would cost (000, table 1) */
};

struct dialogue;
struct corpus;
struct execution;

/* An option that turned out to be needed on the way: without it the search is of no use. */
enum lacking {
    LACKS_NOTHING,
    LACKS_SHARED_STACKS,
    LACKS_THREAD_ENDS,
    LACKS_LAST_END,
    LACKS_CYCLES,
    LACKS_LIBRARY,
};

struct options {
    enum session_mode mode;
    char strategy[STRATEGY_NAME];
    char explorer_library[EXPLORER_NAME]; /* the path of a custom one, compiled; empty: none */
    char explorer[EXPLORER_NAME];         /* empty: the one that the strategy takes by itself */
    enum races_mode races;
    bool races_by_states; /* RACES_EXPLORE: and data races are reported that a state shows */
    enum sequences_mode sequences;
    enum volatile_mode volatiles;
    enum isolate_mode isolate;
    enum checkpoints_mode checkpoints;
    enum halted_mode halted; /* events that are sent to a machine that has halted */
    enum numbers_mode
        numbers; /* of machines: by the order of creation, or names without an order */
    uint64_t seed;
    uint64_t max_executions; /* 0: no bound */
    uint32_t max_steps;
    bool max_steps_given; /* cutting at a bound that the user named completes it */
    int32_t preemptions;  /* -1: no bound; at most one of these three has one */
    int32_t delays;
    int32_t divergences;
    enum bound_kind deepen; /* that bound is raised from 0 on, up to its own value if it has one */
    uint32_t timeout_ms;    /* 0: none */
    uint32_t step_timeout_ms;
    uint64_t memory_limit; /* bytes the program may allocate in one execution, and a search may
                              remember states in */
    enum visited_full full;
    enum cache_mode cache;
    uint32_t delay_step; /* from one stratum to the next; 0 is 1 */
    uint32_t depth_step; /* likewise, of depth-bounding */
    uint32_t tasks_max;
    uint32_t pct_steps, pct_depth; /* pct: k and d */
    uint32_t slice;                /* portfolio: steps of each in the first round */
    uint32_t random_choices;       /* values that rand() chooses from; 0: one sequence, by `seed` */
    bool shared_stacks; /* RACES_EXPLORE: a task's accesses of its own stack are operations, too */
    bool thread_ends;   /* the end of a thread is an operation */
    bool last_end;      /* likewise, and it matters which of them is the last */
    bool
        cycles; /* states may come round: a search by states keeps track of those that lead to no end */
    char
        libraries[LIBRARIES_TEXT]; /* loaded before main: PATH or PATH@FLAGS, with colons between */
    bool spurious_wakeups;
    bool keep_going;
    bool asks; /* after each finding, whether to go on: the supervisor may have it suppressed */
    bool final_states;              /* count the different states in which executions end */
    bool coverage;                  /* which pairs ran in both orders (coverage.h) */
    bool tree;                      /* record the executions as a tree (tree.h) */
    bool sample;                    /* count the options on the way (estimate.h); wants `random` */
    const struct execution *replay; /* borrowed: whose decisions the strategy `replay` follows */
    bool replay_stops;     /* behind the last of these; else what comes must end there by itself */
    bool debugged;         /* replay in a debugger: see debugger.h */
    struct corpus *corpus; /* borrowed: what the strategy `corpus` follows */
    struct dialogue *dialogue; /* borrowed: whom the strategy `interactive` asks */
};

#endif
