/* effects.h - the table of scripted operations, and helpers for their effects. */
#ifndef SUBSTRATES_SCRIPTED_EFFECTS_H
#define SUBSTRATES_SCRIPTED_EFFECTS_H

#include "event/event.h"
#include "substrates/scripted/operations.h"

/* The performance of one operation. */
struct act {
    struct scripted *system;
    struct script_state *state;
    struct script_task_state *own;
    const struct script_instruction *now;
    struct event *event;
    uint32_t task;
    uint32_t object;
};

/* The effect of a scripted operation: what it does, when its task can move, and which tasks hold it
 * up. */
struct script_effect {
    void (*perform)(struct act *act); /* NULL: there is no such operation in scripts */
    bool (*enabled)(const struct script_state *state, const struct script_instruction *now,
                    const struct script_task_state *own); /* NULL: always */
    /* The n-th holder of what a blocked task waits for, or NO_TASK. NULL: there are no holders. */
    uint32_t (*holder)(const struct script_state *state, const struct script_instruction *now,
                       uint32_t nth);
};

/* By kind of operation; SCRIPT_AWAIT and SCRIPT_UNTIL have rows of their own. */
extern const struct script_effect script_effects[SCRIPT_CODES];

static inline void result(struct act *act, uint64_t value) {
    act->event->result = value;
    script_got(act->system, act->task, value);
}

/* The result of an operation that may fail (a try, a wrong use): 1 in the register for success, 0
 * for failure. */
static inline void succeed(struct act *act, bool success) {
    if (!success)
        act->event->flags |= EVENT_FAILED;
    script_got(act->system, act->task, success);
}

static inline void time_out(struct act *act) {
    act->event->flags |= EVENT_TIMED_OUT;
    script_got(act->system, act->task, 2);
}

/* Memory and tasks (effects_tasks.c). */
void effect_access(struct act *act);
void effect_await(struct act *act);
void effect_create(struct act *act);
void effect_join(struct act *act);
void effect_tryjoin(struct act *act);
void effect_kill(struct act *act);
void effect_end(struct act *act);
void effect_detach(struct act *act);
void effect_cancel(struct act *act);
void effect_cancel_point(struct act *act);
void effect_exit(struct act *act);
void effect_choose(struct act *act);
void effect_section(struct act *act);
void effect_nothing(struct act *act);

#endif
