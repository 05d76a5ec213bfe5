/* stages.h - the stages of `heddle run` without --strategy: `optimal` first, then what can still
 * decide.
 *
 *   1  optimal  one execution for each way in which dependent operations can be ordered
 *   2  states   `ses`: visits each state once, and so ends where loops come back to a state
 *   3  sampling `random`: says little, but its executions end wherever a fair schedule can end them
 *
 * A stage is followed by the next one if it has left the search (engine/leaving.h), or has ended
 * without an answer because executions were cut off. The second stage is followed by the third one
 * if it ended without a verdict, or if the states of the program cannot be compared. A bug ends the
 * run, unless --keep-going is set.
 *
 * The budget is shared. With --timeout the first stage is left after a quarter of the time if the
 * estimate says that it needs 100 times all of it, or if executions get longer and longer. The
 * second stage has half of what is left then, and the third one the rest. --max-executions is
 * shared in the same way, but does not make `optimal` give way by itself. Without a budget the
 * second stage has STATES_STEPS steps, and the third one SAMPLE_STEPS steps or 10,000 executions.
 *
 * Left out: what several stages have counted is not added up. The counters of the result are those
 * of the last one. */
#ifndef CLI_STAGES_H
#define CLI_STAGES_H

#include "engine/judge/judge.h"
#include "engine/session.h"

struct run;

enum { STAGES_MAX = 3 };

/* A stage that is over. */
struct stage {
    char strategy[STRATEGY_NAME];
    struct judgement judgement;
    uint64_t executions; /* complete ones */
    uint64_t states;     /* 0: the strategy remembers none */
    uint32_t findings;   /* that it was the first to find */
    double seconds;
};

struct stages {
    struct stage list[STAGES_MAX];
    uint32_t count;             /* stages that are over */
    uint32_t reported;          /* findings of all stages that are over */
    uint64_t executions_left;   /* of --max-executions */
    char earlier[EARLIER_TEXT]; /* what they did not decide, for the judge */
    uint64_t left_ms;           /* when stages_watch asked the first stage to end, or 0 */
    double seconds;             /* of all searches that are over, also of those that began again */
    double cpu_seconds;         /* likewise */
    double listed_seconds;      /* of the stages in the list */
    struct options options;     /* of the first stage */
};

/* During the first stage, with --timeout: ends it if it is far too large. */
void stages_watch(struct run *run);

/* Counts the time of the search that has just ended. Another one follows. */
void stages_count_time(struct run *run);

/* Returns true if another stage is to follow. Then the options are those of the next stage, the
 * user is told so, and the session of the last one can be closed. */
bool stages_go_on(struct run *run);

/* The run is over. Tells the judge what earlier stages did not decide, if the last one only draws
 * samples. */
void stages_before_judgement(struct run *run);

/* Adds the last stage. */
void stages_end(struct run *run, const struct judgement *judgement);

#endif
