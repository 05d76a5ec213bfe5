/* dialogue.h - the simulator's conversation (003, the interactive simulator): the engine shows a state
 * and waits, the user answers.
 *
 * It stands in the session and goes strictly by turns. While the engine waits, the user may look at all
 * of the session (the execution under way, what was found in it) and fill in an answer; while the
 * engine has the turn, the user looks at `turn` only. There are two answers: an option of the choice at
 * hand, or a script: the execution under way is left, and the next one makes the decisions of the
 * script before it asks. So going back is to ask for a shorter script, and a process that has died is
 * replaced by another one that follows the same script. */
#ifndef ENGINE_DIALOGUE_H
#define ENGINE_DIALOGUE_H

#include "base/pool.h"
#include "engine/system.h"
#include "trace/execution.h"
#include "trace/finding.h"

enum { DIALOGUE_STACK = 32 };

enum dialogue_turn { TURN_ENGINE, TURN_USER };

/* A live task: before which operation it stands, and whom it waits for if it cannot move. */
struct dialogue_task {
    uint32_t task;
    uint32_t holder; /* NO_TASK: nobody in particular */
    bool enabled;
    uint32_t stack_count;
    struct op op;
    uint64_t stack[DIALOGUE_STACK]; /* innermost first */
};

struct dialogue {
    struct pool *pool;     /* borrowed */
    struct system *system; /* borrowed, set by the engine */
    volatile uint32_t turn;

    /* from the user */
    bool restart;            /* by the script; else the option that was picked: */
    uint32_t picked;         /* an index below `count` */
    struct execution script; /* its decisions */
    uint32_t script_step;    /* where the last step of the script begins */

    /* from the engine */
    bool over;            /* the execution has ended, for this reason: */
    enum outcome outcome; /* else there is a choice: */
    enum choice_tag tag;
    uint32_t count;   /* options */
    uint32_t task;    /* who chooses; of a schedule, who moved last */
    uint32_t strayed; /* 1 + the decision of the script that could not be made; 0: all were */
    uint32_t
        live_count; /* of the last schedule: the enabled tasks first, in the order of options */
    uint32_t live_capacity;
    struct dialogue_task *live;
    const struct finding *findings; /* of this execution, */
    const uint32_t *finding_count;  /* so many up to now */
};

/* Supervisor: a new one, in the pool of the session; the first script is empty. */
struct dialogue *dialogue_create(struct pool *pool);

/* --- the engine --- */

/* Before the first execution, and after each: waits until one is wanted. */
void dialogue_await(struct dialogue *dialogue);

/* The execution under way has ended; `last` is the state in which it did, NULL if there is none to be
 * seen. */
void dialogue_end(struct dialogue *dialogue, enum outcome outcome, const struct choice *last);

/* The option that the user, or before that the script, takes; at least choice->count if the execution
 * is to be left. */
uint32_t dialogue_pick(struct dialogue *dialogue, const struct execution *execution,
                       const struct choice *choice);

/* --- the user, who has the turn --- */

void dialogue_take(struct dialogue *dialogue, uint32_t option);
void dialogue_restart(struct dialogue *dialogue, const struct decision *decisions, uint32_t count);

#endif
