/* delaying.c - see delaying.h.
 *
 * The tasks that are there at the first state are started in the order of their numbers. Later
 * tasks come by create events, or are machines that come back by a send (MESSAGE_WAKES). A task
 * that has moved and is not there any more has ended. */
#include "strategies/delaying.h"

#include <heddle/machine.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "engine/session.h"
#include "engine/strategy.h"
#include "event/event.h"

_Static_assert(SESSION_TASKS_MAX <= UINT16_MAX, "struct heddle_order has 16 bits for a task");

const struct heddle_explorer *explorer_wanted(const struct options *options,
                                              const char *otherwise) {
    return explorer_named(options->explorer[0] ? options->explorer : otherwise);
}

/* An explorer's order is short, and the rest of its room is zero. */
size_t delaying_size(const struct delaying *delaying) {
    const uint64_t *words = (const uint64_t *)delaying->state;
    size_t count = (delaying->explorer->size + sizeof *words - 1) / sizeof *words;
    while (count >= 4 &&
           (words[count - 1] | words[count - 2] | words[count - 3] | words[count - 4]) == 0)
        count -= 4;
    while (count > 0 && words[count - 1] == 0)
        count--;
    return offsetof(struct delaying, state) + count * sizeof *words;
}

void delaying_begin(struct delaying *delaying, const struct heddle_explorer *explorer,
                    uint64_t seed) {
    memset(delaying, 0, sizeof *delaying);
    delaying->explorer = explorer;
    explorer->begin(delaying->state, seed);
}

/* --- what has happened ---------------------------------------------------------------------- */

/* Returns the index of the task in choice->pending; choice->live if it is not there. */
static uint32_t place_of(const struct choice *choice, uint32_t task) {
    uint32_t at = 0;
    while (at < choice->live && choice->pending[at].task != task)
        at++;
    return at;
}

static void start(struct delaying *delaying, uint32_t task, const char *kind) {
    delaying->explorer->start(delaying->state, task, kind);
    delaying->live++;
}

static void tell_step(struct delaying *delaying, enum heddle_step_kind kind, uint32_t task,
                      uint32_t other, const char *text) {
    struct heddle_step step = {kind, task, other, text};
    if (delaying->explorer->step != NULL)
        delaying->explorer->step(delaying->state, &step);
}

/* Returns the name of an event that a machine has sent, or the type of a new machine; other events
 * have no name. */
static const char *text_of(const struct event *event) {
    if (event->op.kind == OP_SEND && event->op.receiver != 0)
        return ((const struct machine_event *)event->op.message)->name;
    return event->op.kind == OP_CREATE ? (const char *)event->op.type_name : NULL;
}

/* A machine that was gone has come back, to halt. */
static void start_again(struct delaying *delaying, const struct choice *choice, uint32_t task) {
    uint32_t place = place_of(choice, task);
    if (place < choice->live)
        start(delaying, task, (const char *)choice->pending[place].op->type_name);
}

static void tell_event(struct delaying *delaying, const struct choice *choice,
                       const struct execution *execution, const struct event *event) {
    if (event->flags & EVENT_HINT)
        tell_step(delaying, HEDDLE_STEP_HINT, event->task, 0, execution->text + event->note);
    if (event->flags & (EVENT_NOTE | EVENT_FAILED))
        return;
    const char *text = text_of(event);
    if (event->op.kind == OP_SEND && (event->op.message_flags & MESSAGE_WAKES))
        start_again(delaying, choice, event->op.receiver);
    if (event->op.kind == OP_SEND)
        tell_step(delaying, HEDDLE_STEP_SENT, event->task,
                  event->op.receiver == NO_TASK ? 0 : event->op.receiver, text);
    /* A task that has ended within the same step was never there. */
    if (event->op.kind == OP_CREATE && place_of(choice, (uint32_t)event->child) < choice->live)
        start(delaying, (uint32_t)event->child, text);
}

static void tell_events(struct delaying *delaying, const struct choice *choice,
                        const struct execution *execution) {
    for (; delaying->events < execution->event_count; delaying->events++)
        tell_event(delaying, choice, execution, &execution->events[delaying->events]);
}

static void tell_end(struct delaying *delaying, const struct choice *choice, uint32_t moved) {
    uint32_t place = place_of(choice, moved);
    if (place == choice->live) {
        delaying->explorer->finish(delaying->state, moved);
        delaying->live--;
    } else if (place >= choice->count) {
        tell_step(delaying, HEDDLE_STEP_BLOCKED, moved, 0, NULL);
    }
}

/* Returns the lowest number of a task above `last`. Both parts of the list are sorted by number. */
static uint32_t lowest_after(const struct choice *choice, int64_t last) {
    uint32_t lowest = NO_TASK;
    for (uint32_t i = 0; i < choice->live; i++)
        if (choice->pending[i].task > last && choice->pending[i].task < lowest)
            lowest = choice->pending[i].task;
    return lowest;
}

static void start_all(struct delaying *delaying, const struct choice *choice) {
    int64_t last = -1;
    for (uint32_t i = 0; i < choice->live; i++) {
        last = lowest_after(choice, last);
        start(delaying, (uint32_t)last, NULL);
    }
}

bool delaying_tell(struct delaying *delaying, const struct choice *choice,
                   const struct execution *execution) {
    if (choice->live > HEDDLE_ORDER_MAX)
        return false;
    if (delaying->live == 0) {
        start_all(delaying, choice);
        delaying->events = execution->event_count;
        return true;
    }
    tell_step(delaying, HEDDLE_STEP_MOVED, choice->task, 0, NULL);
    tell_events(delaying, choice, execution);
    tell_end(delaying, choice, choice->task);
    CHECK(delaying->live == choice->live);
    return true;
}

/* --- what it prescribes --------------------------------------------------------------------- */

void delaying_delay(struct delaying *delaying) {
    delaying->explorer->delay(delaying->state);
}

uint32_t delaying_next(struct delaying *delaying, const struct choice *choice) {
    for (uint32_t blocked = 0; blocked <= choice->live; blocked++) {
        uint32_t place = place_of(choice, delaying->explorer->next(delaying->state));
        if (place < choice->count)
            return place;
        delaying_delay(delaying);
    }
    return PICK_NOTHING;
}

static uint64_t bit_of(uint32_t option) {
    return (uint64_t)1 << option % 64;
}

bool prescribed_add(struct prescribed *prescribed, uint32_t option) {
    if (option == PICK_NOTHING || (prescribed->bits[option / 64] & bit_of(option)))
        return false;
    prescribed->bits[option / 64] |= bit_of(option);
    return true;
}

static uint32_t steps_of(const struct execution *execution) {
    uint32_t steps = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        steps += execution->decisions[i].tag == CHOICE_SCHEDULE;
    return steps;
}

uint32_t delaying_complain(const struct delaying *delaying, const struct choice *choice,
                           const struct prescribed *prescribed, struct strategy *strategy,
                           char *text) {
    uint32_t missing = 0, steps = steps_of(strategy->inputs->execution);
    strategy->mistake = text;
    if (choice->live > HEDDLE_ORDER_MAX) {
        snprintf(text, MISTAKE_TEXT,
                 "a delaying explorer can order %d tasks, and after step %u there are %u",
                 HEDDLE_ORDER_MAX, steps, choice->live);
        return PICK_MISTAKEN;
    }
    while (prescribed->bits[missing / 64] & bit_of(missing))
        missing++;
    snprintf(text, MISTAKE_TEXT,
             "the explorer '%s' is not sound: after step %u, %u task%s enabled, and as many delays "
             "do not come to task %u",
             delaying->explorer->name, steps, choice->count, choice->count == 1 ? " is" : "s are",
             choice->pending[missing].task);
    return PICK_MISTAKEN;
}
