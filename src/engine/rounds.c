/* rounds.c - see rounds.h. */
#include "engine/rounds.h"

#include "event/event.h"

enum { MUCH_LONGER = 4 };

/* In the order of their numbers. */
static struct rounds_task *row_of(struct rounds *rounds, uint32_t task) {
    struct rounds_task *rows = rounds->tasks;
    uint32_t at = 0;
    while (at < rounds->task_count && rows[at].task < task)
        at++;
    if (at < rounds->task_count && rows[at].task == task)
        return &rows[at];
    if (rounds->task_count == ROUNDS_TASKS)
        return NULL;
    for (uint32_t i = rounds->task_count++; i > at; i--)
        rows[i] = rows[i - 1];
    rows[at] = (struct rounds_task){.task = task};
    return &rows[at];
}

static void add_place(struct rounds_task *row, const struct op *op) {
    uint32_t at = 0;
    while (at < row->place_count && row->places[at].pc != op->pc)
        at++;
    if (at == ROUNDS_PLACES)
        return;
    if (at == row->place_count)
        row->places[row->place_count++] = (struct rounds_place){.pc = op->pc, .kind = op->kind};
    row->places[at].count++;
}

/* If the process died, the event that was being written may have any content. */
static void add_event(struct rounds *rounds, const struct event *event) {
    if ((event->flags & EVENT_NOTE) || event->op.kind >= OP_KINDS)
        return;
    struct rounds_task *row = row_of(rounds, event->task);
    if (row != NULL)
        add_place(row, &event->op);
}

static void keep_frequent(struct rounds_task *row) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < row->place_count; i++)
        if (row->places[i].count >= ROUNDS_MIN)
            row->places[kept++] = row->places[i];
    row->place_count = kept;
}

static void drop_others(struct rounds *rounds) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rounds->task_count; i++) {
        keep_frequent(&rounds->tasks[i]);
        if (rounds->tasks[i].place_count > 0)
            rounds->tasks[kept++] = rounds->tasks[i];
    }
    rounds->task_count = kept;
}

void rounds_look(struct rounds *rounds, const struct execution *execution, uint64_t number) {
    uint32_t steps = execution->skipped + execution->event_count;
    if (rounds->first_steps == 0)
        rounds->first_steps = steps;
    if (steps < ROUNDS_STEPS || steps < rounds->steps + rounds->steps / 4)
        return;
    rounds->steps = steps;
    rounds->execution = number;
    rounds->task_count = 0;
    for (uint32_t i = execution->event_count / 2; i < execution->event_count; i++)
        add_event(rounds, &execution->events[i]);
    drop_others(rounds);
}

bool rounds_grow(const struct rounds *rounds) {
    return rounds->task_count > 0 && rounds->steps / MUCH_LONGER >= rounds->first_steps;
}

void rounds_merge(struct rounds *into, const struct rounds *from) {
    if (from->steps > into->steps)
        *into = *from;
}
