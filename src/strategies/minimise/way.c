/* way.c - see way.h. */
#include "strategies/minimise/way.h"

#include <string.h>

#include "strategies/switches.h"

enum { WORD_BITS = 64, TASK_WORDS = 16 }; /* as many tasks as a session can name */

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

/* Within a step only its own task chooses, so `task` is always who moved last. */
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
    struct measure measure = {0};
    uint64_t moved[TASK_WORDS] = {0};
    for (uint32_t i = 0; i < way->count; i++) {
        const struct mark *mark = &way->marks[i];
        uint64_t *word = &moved[mark->task / WORD_BITS % TASK_WORDS];
        uint64_t bit = (uint64_t)1 << mark->task % WORD_BITS;
        measure.tasks += (*word & bit) == 0;
        measure.steps += mark->tag == CHOICE_SCHEDULE;
        *word |= bit;
    }
    if (last != NULL) {
        measure.switches = last->switches;
        measure.preemptions = last->preemptions;
    }
    return measure;
}

bool measure_less(const struct measure *a, const struct measure *b) {
    if (a->switches != b->switches)
        return a->switches < b->switches;
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    if (a->tasks != b->tasks)
        return a->tasks < b->tasks;
    return a->steps < b->steps;
}
