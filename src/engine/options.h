/* options.h - the options of a search, as plain data that is copied into the session. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/visited.h"
#include "engine/bound.h"

enum races_mode { RACES_REPORT, RACES_EXPLORE, RACES_IGNORE };
/* whether a store continues a release sequence */
enum sequences_mode { SEQUENCES_C11, SEQUENCES_CXX20 };
enum volatile_mode { VOLATILE_PLAIN, VOLATILE_ATOMIC }; /* for data races */
enum isolate_mode { ISOLATE_RESET, ISOLATE_FORK };
enum checkpoints_mode { CHECKPOINTS_ON, CHECKPOINTS_OFF };
enum halted_mode { HALTED_DROP, HALTED_REPORT };
enum numbers_mode { NUMBERS_ORDER, NUMBERS_NAMES };
enum session_mode {
    MODE_EXPLORE,
    MODE_REPLAY, /* follows the decisions in the session once, and shows the program's output */
    MODE_CORPUS, /* follows the schedules of earlier runs: see corpus.h */
    /* looks for smaller executions that fail like the one in the session: see minimised.h */
    MODE_MINIMISE,
    MODE_SIMULATE, /* lets the user decide, one execution after the other: see dialogue.h */
};

enum {
    STRATEGY_NAME = 24,
    EXPLORER_NAME = 256,
    LIBRARIES_TEXT = 2048,
    LIBRARY_TEXT = 256,
    LOOPS_TEXT = 512,
    LOOP_TEXT = 24,
    DEFAULT_MAX_STEPS = 100000,
    DEFAULT_RANDOM_EXECUTIONS = 10000
};
enum { DEFAULT_SLICE = 2000 };
enum { DEFAULT_DEPTH_STEP = 5 }; /* as in 000, table 2 */
/* as in 001, section 6.1 */
enum { DEFAULT_PCT_STEPS = 5000, DEFAULT_PCT_DEPTH = 5, PCT_DEPTH_MAX = 1000 };

enum cache_mode {
    CACHE_PROGRAM, /* states of the program */
    CACHE_PAIR, /* with states of the explorer: only to measure the cost of this (000, table 1) */
};

struct dialogue;
struct corpus;
struct execution;

struct options {
    enum session_mode mode;
    char strategy[STRATEGY_NAME];
    /* the path of the user's own explorer, compiled; empty: there is none */
    char explorer_library[EXPLORER_NAME];
    char explorer[EXPLORER_NAME]; /* empty: the default of the strategy */
    enum races_mode races;
    bool races_by_states; /* with RACES_EXPLORE: reports the data races that a state shows */
    enum sequences_mode sequences;
    enum volatile_mode volatiles;
    enum isolate_mode isolate;
    enum checkpoints_mode checkpoints;
    enum halted_mode halted; /* what happens to events that are sent to a machine that has halted */
    enum numbers_mode
        numbers; /* of machines: numbers in the order of creation, or names without an order */
    uint64_t seed;
    uint64_t max_executions; /* 0: no bound */
    uint32_t max_steps;
    /* the user has set --max-steps, so a search that cuts executions there completes its bound */
    bool max_steps_given;
    int32_t preemptions; /* -1: no bound. At most one of these three is set */
    int32_t delays;
    int32_t divergences;
    enum bound_kind deepen; /* this bound is raised from 0 on, up to its own value if it has one */
    uint32_t timeout_ms;    /* 0: none */
    uint32_t step_timeout_ms;
    /* in bytes: for the allocations of the program in one execution, and for a search that
     * remembers states */
    uint64_t memory_limit;
    enum visited_full full;
    enum cache_mode cache;
    uint32_t delay_step; /* the distance between two strata; 0 means 1 */
    uint32_t depth_step; /* the same for depth-bounding */
    uint32_t tasks_max;
    uint32_t pct_steps, pct_depth; /* pct: the parameters k and d */
    uint32_t slice;                /* portfolio: the steps of each member in the first round */
    /* the number of values from which rand() chooses; 0: one sequence, made from `seed` */
    uint32_t random_choices;
    bool shared_stacks; /* RACES_EXPLORE: accesses of a task to its own stack are operations, too */
    bool thread_ends;   /* the end of a thread is an operation */
    bool last_end;      /* the same, and the program can see which thread is the last to end */
    bool
        /* the program may come back to a state, so a search that remembers states keeps track of
         * the states from which no end can be reached */
        cycles;
    char
        libraries[LIBRARIES_TEXT]; /* loaded before main: PATH or PATH@FLAGS, separated by colons */
    /* waiting loops whose looks block (tasks/await.h): digests of their places, separated by colons.
     * A place behind ! is an ordinary loop. */
    char loops[LOOPS_TEXT];
    bool spurious_wakeups;
    bool keep_going;
    /* the search asks after each finding whether to go on, because the supervisor may suppress
     * it */
    bool asks;
    /* the search ends where another strategy should go on (leaving.h) */
    bool leaves;
    uint32_t stage;     /* the number of stages before this search (cli/run/stages.h) */
    uint64_t steps_max; /* the search ends after so many steps; 0: no bound (leaving.h) */
    bool final_states;  /* count the different states in which executions end */
    bool coverage;      /* count which pairs of operations ran in both orders (coverage.h) */
    bool tree;          /* record the executions as a tree (tree.h) */
    bool sample;        /* count the options on the way (estimate.h); needs the strategy `random` */
    const struct execution *replay; /* borrowed: the decisions that the strategy `replay` follows */
    /* the execution is left after the last of these decisions; otherwise it must end there by
     * itself */
    bool replay_stops;
    bool debugged;             /* replay in a debugger: see debugger.h */
    struct corpus *corpus;     /* borrowed: the schedules that the strategy `corpus` follows */
    struct dialogue *dialogue; /* borrowed: the dialogue in which the strategy `interactive` asks */
};

#endif
