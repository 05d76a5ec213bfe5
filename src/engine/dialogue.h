/* dialogue.h - the conversation of the simulator (003, the interactive simulator): the engine shows
 * a state and waits, and the user answers.
 *
 * The dialogue is in the session, and the two sides take strict turns. While the engine waits, the
 * user may read everything in the session (the execution under way, its findings) and fill in an
 * answer. While the engine has the turn, the user reads `turn` only. There are two answers. An
 * option: the execution goes on with it. A script: the execution under way is left, and the next
 * one makes the decisions of the script before it asks again. So going back means a shorter script.
 * If the process dies, a new one follows the same script. */
#ifndef ENGINE_DIALOGUE_H
#define ENGINE_DIALOGUE_H

#include "base/pool.h"
#include "engine/system.h"
#include "execution/execution.h"
#include "execution/finding.h"

enum { DIALOGUE_STACK = 32 };

enum dialogue_turn { TURN_ENGINE, TURN_USER };

/* A live task: the operation before which it stands, and the task that it waits for if it cannot
 * move. */
struct dialogue_task {
    uint32_t task;
    uint32_t holder; /* NO_TASK: no single task */
    bool enabled;
    uint32_t stack_count;
    struct op op;
    uint64_t stack[DIALOGUE_STACK]; /* innermost first */
};

struct dialogue {
    struct pool *pool;     /* borrowed */
    struct system *system; /* borrowed, set by the engine */
    volatile uint32_t turn;

    /* Filled in by the user. */
    bool restart;            /* the answer is the script; otherwise it is the option `picked` */
    uint32_t picked;         /* an index below `count` */
    struct execution script; /* the decisions to begin with */
    uint32_t script_step;    /* the decision at which the last step of the script begins */

    /* Filled in by the engine. */
    bool over; /* the execution has ended, with this outcome; otherwise there is a choice */
    enum outcome outcome; /* why the execution has ended */
    enum choice_tag tag;
    uint32_t count; /* the number of options */
    uint32_t task;  /* the task that chooses; for a schedule, the task that moved last */
    /* 1 + the index of the decision of the script that could not be made; 0: all could */
    uint32_t strayed;
    uint32_t
        /* of the last schedule; the enabled tasks come first, in the order of options */
        live_count;
    uint32_t live_capacity;
    struct dialogue_task *live;
    const struct finding *findings; /* the findings of this execution */
    const uint32_t *finding_count;  /* their number up to now */
};

/* For the supervisor: makes a dialogue in the pool of the session. Its first script is empty. */
struct dialogue *dialogue_create(struct pool *pool);

/* --- the engine --- */

/* Called before the first execution and after each: waits until the user wants an execution. */
void dialogue_await(struct dialogue *dialogue);

/* The execution under way has ended in the state `last`. NULL: the state cannot be shown. */
void dialogue_end(struct dialogue *dialogue, enum outcome outcome, const struct choice *last);

/* The option that the script, or after its end the user, has picked. At least choice->count if the
 * execution is to be left. */
uint32_t dialogue_pick(struct dialogue *dialogue, const struct execution *execution,
                       const struct choice *choice);

/* --- the user, who has the turn --- */

void dialogue_take(struct dialogue *dialogue, uint32_t option);
void dialogue_restart(struct dialogue *dialogue, const struct decision *decisions, uint32_t count);

#endif
