/* way.c - see way.h. */
#include "strategies/minimise/way.h"

#include <string.h>

#include "strategies/switches.h"

void way_init(struct way *way, struct pool *pool) {
    *way = (struct way){.pool = pool};
}

void way_copy(struct way *to, const struct way *from) {
    to->marks = pool_grow(to->pool, to->marks, &to->capacity, from->count, sizeof *to->marks);
    if (from->count > 0)
        memcpy(to->marks, from->marks, from->count * sizeof *to->marks);
    to->count = from->count;
}

static const struct mark *last_of(const struct way *way) {
    return way->count > 0 ? &way->marks[way->count - 1] : NULL;
}

uint32_t way_moved(const struct way *way) {
    const struct mark *last = last_of(way);
    return last != NULL ? last->task : NO_TASK;
}

uint32_t way_switches(const struct way *way) {
    const struct mark *last = last_of(way);
    return last != NULL ? last->switches : 0;
}

/* Searches from the end. For each task, all of its searches together pass each mark once. */
static bool has_moved(const struct way *way, uint32_t task) {
    uint32_t i = way->count;
    while (i > 0 && way->marks[i - 1].task != task)
        i--;
    return i > 0;
}

/* Only the task of a step chooses within it, so `task` is always the one that moved last. */
static struct mark mark_of(const struct way *way, const struct choice *choice, uint32_t option,
                           uint32_t events) {
    const struct mark *last = last_of(way);
    struct mark mark = last != NULL ? *last : (struct mark){.task = NO_TASK, .before = NO_TASK};
    mark.option = option;
    mark.count = choice->count;
    mark.tag = (uint8_t)choice->tag;
    mark.preempts = false;
    if (choice->tag != CHOICE_SCHEDULE)
        return mark;
    mark.before = mark.task;
    mark.task = choice->pending[option].task;
    mark.events = events;
    mark.steps++;
    mark.tasks += mark.task != mark.before && !has_moved(way, mark.task);
    if (mark_switches(&mark)) {
        mark.preempts = !switch_is_free(choice);
        mark.switches++;
        mark.preemptions += mark.preempts;
    }
    return mark;
}

void way_add(struct way *way, const struct choice *choice, uint32_t option, uint32_t events) {
    struct mark mark = mark_of(way, choice, option, events);
    way->marks = pool_grow(way->pool, way->marks, &way->capacity, (size_t)way->count + 1,
                           sizeof *way->marks);
    way->marks[way->count++] = mark;
}

struct measure way_measure(const struct way *way) {
    const struct mark *last = last_of(way);
    if (last == NULL)
        return (struct measure){0};
    return (struct measure){last->switches, last->preemptions, last->tasks, last->steps};
}

bool measure_is_long(const struct measure *measure) {
    return measure->steps >= STEPS_READ;
}

uint32_t measure_cost(const struct measure *measure) {
    uint32_t cost = measure->switches;
    for (uint32_t steps = measure->steps; steps >= STEPS_READ; steps /= 2)
        cost += SWITCHES_A_DOUBLING;
    return cost;
}

bool measure_less(const struct measure *a, const struct measure *b) {
    if (measure_cost(a) != measure_cost(b))
        return measure_cost(a) < measure_cost(b);
    if (a->switches != b->switches)
        return a->switches < b->switches;
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    if (a->tasks != b->tasks)
        return a->tasks < b->tasks;
    return a->steps < b->steps;
}
