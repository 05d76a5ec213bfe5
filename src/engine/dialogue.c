/* dialogue.c - see dialogue.h. */
#include "engine/dialogue.h"

#include "base/futex.h"
#include "engine/strategy.h"

struct dialogue *dialogue_create(struct pool *pool) {
    struct dialogue *dialogue = pool_alloc(pool, sizeof *dialogue);
    dialogue->pool = pool;
    dialogue->restart = true;
    execution_init(&dialogue->script, pool);
    return dialogue;
}

/* Used by both sides. A side that sees its turn also sees everything that was written before. */
static void give_turn(struct dialogue *dialogue, enum dialogue_turn turn) {
    __atomic_store_n(&dialogue->turn, turn, __ATOMIC_RELEASE);
    futex_wake(&dialogue->turn);
}

/* --- the engine --- */

static void ask_user(struct dialogue *dialogue) {
    give_turn(dialogue, TURN_USER);
    while (__atomic_load_n(&dialogue->turn, __ATOMIC_ACQUIRE) != TURN_ENGINE)
        futex_wait(&dialogue->turn, TURN_USER, NULL);
}

void dialogue_await(struct dialogue *dialogue) {
    while (!dialogue->restart)
        ask_user(dialogue);
    dialogue->restart = dialogue->over = false;
    dialogue->strayed = 0;
    dialogue->outcome = OUTCOME_RUNNING;
}

static void show_task(struct dialogue *dialogue, const struct choice *choice, uint32_t at) {
    struct system *system = dialogue->system;
    const struct pending *pending = &choice->pending[at];
    struct dialogue_task *shown = &dialogue->live[at];
    shown->task = pending->task;
    shown->op = *pending->op;
    shown->enabled = at < choice->count;
    shown->holder = shown->enabled ? NO_TASK : system->ops->holder(system, pending->task, 0);
    shown->stack_count =
        system->ops->stack(system, pending->task, pending->op->pc, shown->stack, DIALOGUE_STACK);
}

static void show_tasks(struct dialogue *dialogue, const struct choice *choice) {
    dialogue->live = pool_grow(dialogue->pool, dialogue->live, &dialogue->live_capacity,
                               choice->live, sizeof *dialogue->live);
    dialogue->live_count = choice->live;
    for (uint32_t i = 0; i < choice->live; i++)
        show_task(dialogue, choice, i);
}

void dialogue_end(struct dialogue *dialogue, enum outcome outcome, const struct choice *last) {
    dialogue->over = true;
    dialogue->outcome = outcome;
    dialogue->live_count = 0;
    if (last != NULL)
        show_tasks(dialogue, last);
}

/* From here on, the user decides. */
static uint32_t ask(struct dialogue *dialogue, const struct choice *choice) {
    dialogue->tag = choice->tag;
    dialogue->count = choice->count;
    dialogue->task = choice->task;
    ask_user(dialogue);
    return dialogue->restart ? PICK_NOTHING : dialogue->picked;
}

uint32_t dialogue_pick(struct dialogue *dialogue, const struct execution *execution,
                       const struct choice *choice) {
    uint32_t at = execution->decision_count;
    /* the user wants to begin again, so the rest of this step is decided without the user */
    if (dialogue->restart)
        return PICK_NOTHING;
    /* It takes time to collect the stacks of all tasks. Of a long script, the user sees only the
     * last state. */
    if (choice->tag == CHOICE_SCHEDULE && (dialogue->strayed || at >= dialogue->script_step))
        show_tasks(dialogue, choice);
    if (at >= dialogue->script.decision_count || dialogue->strayed)
        return ask(dialogue, choice);
    uint32_t option = choice_option(choice, &dialogue->script.decisions[at]);
    if (option < choice->count)
        return option;
    dialogue->strayed = at + 1;
    if (choice->tag == CHOICE_SCHEDULE)
        show_tasks(dialogue, choice);
    return ask(dialogue, choice);
}

/* --- the user --- */

void dialogue_take(struct dialogue *dialogue, uint32_t option) {
    dialogue->picked = option;
    give_turn(dialogue, TURN_ENGINE);
}

void dialogue_restart(struct dialogue *dialogue, const struct decision *decisions, uint32_t count) {
    execution_clear(&dialogue->script);
    dialogue->script_step = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (decisions[i].tag == CHOICE_SCHEDULE)
            dialogue->script_step = i;
        execution_decide(&dialogue->script, decisions[i]);
    }
    dialogue->restart = true;
    give_turn(dialogue, TURN_ENGINE);
}
