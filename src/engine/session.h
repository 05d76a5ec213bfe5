/* session.h - what the supervisor and the tested program share.
 *
 * One memory file, mapped by both at the same address: options go in; counters, findings and the
 * execution under way come out. Everything the search remembers stands in its pool too, so the death
 * of the tested program costs one execution: the next process finds the search as it was left and
 * goes on. For that, pointers in it must mean the same in every process of a session: data stands at
 * SESSION_ADDRESS, and tables of functions at the load address of the runtime, which is the same
 * since address randomisation is off (session_check_code says so if it is not). */
#ifndef ENGINE_SESSION_H
#define ENGINE_SESSION_H

#include <signal.h>

#include "base/pool.h"
#include "engine/branches.h"
#include "engine/coverage.h"
#include "engine/deepen.h"
#include "engine/estimate.h"
#include "engine/members.h"
#include "engine/minimised.h"
#include "engine/options.h"
#include "engine/rounds.h"
#include "engine/sampling.h"
#include "engine/strata.h"
#include "engine/tree.h"
#include "engine/verdict.h"
#include "trace/execution.h"
#include "trace/finding.h"

#define SESSION_ADDRESS ((void *)0x100000000000)
#define SESSION_SIZE ((uint64_t)64 << 30) /* of address space and of a sparse file */
#define SESSION_MAGIC 0x31656c6464654821u
#define SESSION_VARIABLE "HEDDLE_SESSION" /* the path of the memory file */
#define SESSION_REFUSED 119               /* exit status of a runtime that cannot read it */

/* Sent to the tested program when a step takes too long. */
#define SESSION_STEP_SIGNAL (SIGRTMIN + 6)

enum {
    SESSION_TASKS = 1024, /* tasks with a name, over all executions */
    SESSION_LEDGER = 64,  /* kinds of uncontrolled calls */
    SESSION_MODULES = 64, /* the program and its libraries */
    SESSION_TEXT = 400,
    SESSION_FINDINGS = 1000 /* distinct ones that --keep-going collects */
};

/* A task by its schedule-independent name: the how many-th child of which parent. */
struct task_name {
    uint32_t parent; /* NO_TASK for the first */
    uint32_t child;  /* from 0 */
    uint64_t entry;  /* address of its start function, for readers */
    uint64_t pc;     /* where it was created */
};

/* Something the program did that is not controlled: once a call site's name, with a count. */
struct ledger_entry {
    char call[32];
    char why[96];
    uint64_t pc;
    uint64_t count;
};

struct module {
    char path[256];
    uint64_t base, end; /* load bias, and where its last segment ends */
    uint8_t build_id[32];
    uint32_t build_id_size;
    bool opened; /* by dlopen */
};

/* A confirmed finding with the execution that shows it. */
struct session_finding {
    struct session_finding *next;
    struct finding finding;
    struct execution execution;
    bool unfinished; /* the strategy has left it there */
    uint64_t at_execution;
    int32_t delays;  /* of the execution; -1: the strategy does not count them */
    uint32_t member; /* row + 1 of who found it, in session->members; 0: there are none */
};

enum session_phase {
    PHASE_STARTING,   /* before main */
    PHASE_EXPLORING,  /* an execution of the search is under way */
    PHASE_CONFIRMING, /* a finding is being repeated, with stacks */
    PHASE_BETWEEN,    /* no execution is under way */
    PHASE_DONE,
};

struct session_counters {
    uint64_t executions;         /* complete ones */
    uint64_t blocked_executions; /* cut by a sleep set */
    uint64_t idle_executions;    /* cut where a loop would only have waited */
    uint64_t deep_executions;    /* ended by a sampling strategy at the depth of their stratum */
    uint64_t dropped_executions; /* assumption not met */
    uint64_t cut_executions;     /* longer than --max-steps */
    uint64_t seen_executions;    /* ended in a state that was seen before */
    uint64_t transitions;        /* edges of the search tree, each once */
    uint64_t steps;              /* everything that was executed, repetitions too */
    uint64_t final_states;       /* --final-states: different ones, of complete executions */
    uint64_t depth_max;
    uint64_t tasks_max;
};

/* Everything that was begun, however it ended. */
static inline uint64_t session_begun(const struct session_counters *counters) {
    return counters->executions + counters->blocked_executions + counters->idle_executions +
           counters->deep_executions + counters->dropped_executions + counters->cut_executions +
           counters->seen_executions;
}

struct session {
    uint64_t magic;
    uint64_t size; /* sizeof (struct session), so that two builds never share one */
    struct pool *pool;
    struct options options;

    /* from the supervisor, while running */
    volatile bool stop;           /* finish the execution under way, then end */
    volatile uint32_t answered;   /* options.asks: findings that were judged */
    volatile bool died;           /* the process before this one died within an execution, */
    volatile int32_t died_signal; /* by this signal, or by itself (0), */

    /* to the supervisor, while running */
    volatile bool died_inside;   /* it died in our own code */
    volatile uint64_t heartbeat; /* steps, also within an execution */
    volatile int32_t pid;        /* who runs the program (another one under --isolate=fork) */
    volatile bool came_back;   /* --isolate=fork: the child of this execution was not ended by it */
    volatile bool in_program;  /* program code is running, not ours, */
    volatile uint32_t running; /* for this task */
    bool compares_states;      /* the strategy does: what is left on stacks matters, */
    bool remembers_states; /* and whoever decides now goes by them: so messages have no numbers */
    enum session_phase phase;
    struct session_counters counters;
    struct deepening deepening;
    struct sampling sampling;
    struct members members; /* of a strategy that is made of several */
    struct strata strata;
    struct minimised minimised; /* MODE_MINIMISE */
    char explorer_name[64];     /* of the delaying explorer, if there is one */
    struct estimate estimate;
    struct rounds rounds;                  /* who goes round in the longest execution */
    struct samples samples;                /* options.sample */
    struct branches *branches;             /* NULL: the strategy names none */
    struct tree *tree;                     /* NULL unless options.tree */
    struct coverage *coverage;             /* NULL unless options.coverage */
    struct session_finding *findings;      /* newest last */
    struct session_finding *findings_tail; /* the last of them */
    uint32_t finding_count;
    bool findings_lost; /* there were more than could be kept */

    /* results */
    bool exhausted;     /* the strategy has nothing left */
    enum lacking lacks; /* the search is given up; it begins again with the option it lacked */
    bool bound_cut;     /* a bound (preemptions, delays, divergences) hid options */
    bool threads_seen;  /* more than one task existed */
    bool machines;      /* the program is made of machines: they share nothing, */
    bool queues_matter; /* and it mattered how many events waited at one of them */
    bool unsure;        /* the strategy is, see strategy.h */
    bool random_fixed;  /* random numbers were asked for, and came in one sequence */
    bool weak_orders;   /* an order weaker than seq_cst was met */
    bool unordered;     /* options.races_by_states: there may be data races that no state shows */
    bool continued; /* an acquire goes by a release sequence that C11 continues and C++20 ends */
    bool annotated; /* there is a data race that annotations of the program tell to ignore */
    bool plain_instrumented;    /* instrumented code ran at all */
    char library[LIBRARY_TEXT]; /* LACKS_LIBRARY: one for options.libraries */
    char unsavable[160];        /* why the last state cannot be saved; empty: not known */
    char error[SESSION_TEXT];   /* why it cannot go on: unsupported, or an error of ours */
    uint64_t error_pc;
    enum verdict error_verdict;
    char difference[SESSION_TEXT]; /* uncontrolled nondeterminism: the first place that differs */
    uint64_t difference_pc;

    struct ledger_entry ledger[SESSION_LEDGER];
    uint32_t ledger_count;
    struct ledger_entry narrowed; /* the first call that narrowed an input; count 0: none did */
    struct module modules[SESSION_MODULES];
    uint32_t module_count;
    struct task_name tasks[SESSION_TASKS];
    uint32_t task_count;

    /* the search itself; opaque outside the tested program */
    void *explorer;
    const void *code;            /* where the runtime was loaded, */
    const void *custom_explorer; /* and where a delaying explorer of the user's own was */
    struct execution replay;     /* not exploring: the decisions, and the events that must come */
    struct execution *current;   /* the execution under way */
};

/* Of the search under way: with --deepen, those within its bound. */
static inline uint64_t session_begun_now(const struct session *session) {
    return session_begun(&session->counters) - session->deepening.begun;
}

/* About how many executions are left; false if nobody knows, or if they get longer and longer. */
static inline bool session_left(const struct session *session, struct estimate_left *left) {
    return !rounds_grow(&session->rounds) &&
           estimate_read(&session->estimate, session_begun_now(session), left);
}

/* Supervisor: a new session in a memory file; its descriptor goes to *fd. NULL with errno. */
struct session *session_create(int *fd);
/* Tested program: the session of its supervisor. NULL if the file is not one of this build. */
struct session *session_attach(const char *path);

/* One more use of an uncontrolled call. */
void session_uncontrolled(struct session *session, const char *call, const char *why, uint64_t pc);
/* Likewise, of a call that gave fewer values than it can: that bounds what was explored. */
void session_narrowed(struct session *session, const char *call, const char *why, uint64_t pc);

#endif
