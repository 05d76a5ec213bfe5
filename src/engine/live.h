/* live.h - the conversation of the supervisor and the tested program during the search. It means
 * nothing after the search. */
#ifndef ENGINE_LIVE_H
#define ENGINE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct execution;
struct looks;

enum session_phase {
    PHASE_STARTING,   /* before main */
    PHASE_EXPLORING,  /* an execution of the search is under way */
    PHASE_CONFIRMING, /* a finding is being repeated, with stacks */
    PHASE_BETWEEN,    /* no execution is under way */
    PHASE_DONE,
};

/* The death of the process before this one, if it died within an execution. */
struct death {
    volatile bool happened;  /* from the supervisor */
    volatile int32_t signal; /* from the supervisor: 0 if the process ended by itself */
    volatile bool inside;    /* to the supervisor: the process died in our own code */
};

/* The process that runs the program. */
struct process {
    volatile int32_t pid;      /* --isolate=fork: the child that runs this execution */
    volatile bool came_back;   /* --isolate=fork: the execution did not end that child */
    volatile bool in_program;  /* program code is running, not ours */
    volatile uint32_t running; /* the task whose code is running */
};

/* How the search uses states of the program. */
struct states_use {
    bool compared; /* the strategy compares states, so values that are left on stacks matter */
    /* the strategy that decides now remembers states, so messages have no numbers */
    bool remembered;
    char unsavable[160]; /* why the last state cannot be saved; empty: not known */
};

/* The addresses of loaded code. Every process of a session must load it at the same address,
 * because the search holds pointers into it. */
struct loaded {
    const void *runtime;
    const void *custom_explorer; /* a delaying explorer of the user's own */
};

struct live {
    /* grows with every step, also within an execution, and where a step is given up */
    volatile uint64_t heartbeat;
    struct process process;
    volatile bool stop; /* from the supervisor: end the search after this execution */
    /* From the supervisor, if options.asks: how many findings were judged. Only the supervisor
     * knows names, and so whether a finding is suppressed. The search waits for the answer after
     * each finding. */
    volatile uint32_t answered;
    struct death death;
    enum session_phase phase;
    struct states_use states;
    struct loaded loaded;
    struct looks *looks;       /* NULL: the strategy does not know looks that block */
    void *explorer;            /* the search itself, which only the tested program can use */
    struct execution *current; /* the execution under way */
};

#endif
