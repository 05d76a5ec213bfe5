/* coverage.c - pairs of operations and their orders, for engine/coverage.h, which says what is
 * counted.
 *
 * All is done at the end of an execution, from its events, so nothing has to be saved or taken back
 * on the way: a loop that came round idly is known by then. What happens before what is found by
 * vector clocks: program order, creation, the end of a task that is joined, and dependence. An
 * atomic section is one step.
 *
 * An operation is compared with those on the same object before it. Of one task, and of the same
 * kind, place and outcome, the latest is enough for that: it happens after the others, and depends
 * on the same. So what is kept does not grow with the rounds of a loop (but with messages, each of
 * which is its own).
 *
 * Left out: executions with so many events and tasks that the clocks would take more than
 * CLOCKS_MAX numbers. They are counted. */
#include "analyses/analyses.h"
#include "engine/coverage.h"

#include <string.h>

#include "base/hash_table.h"
#include "event/clock.h"
#include "event/dependence.h"
#include "event/touch.h"
#include "execution/events.h"

enum { CLOCKS_MAX = 1 << 24 };

/* An operation of this execution, or the latest of several similar ones. */
struct operation {
    const struct event *event;
    uint32_t step;  /* its number among the steps of its task, from 1 */
    uint32_t met;   /* the event that was compared with it last, + 1 */
    bool dependent; /* that event depends on it */
    uint32_t noted; /* the pair with this event + 1 was counted */
};

/* One thing that an operation touches. */
struct touch {
    uint32_t operation;
    uint32_t earlier; /* the touch of the same thing before this one: number + 1, 0 for none */
};

struct covering {
    struct analysis base;
    const struct analysis_context *context; /* borrowed */
    uint32_t width;                         /* of clocks */
    struct operation *operations;
    struct touch *touches;
    struct hash_table last_touches; /* of each thing: number + 1, by its key */
    uint32_t *clocks;               /* one row for each operation */
    uint32_t *known;                /* for each task, what happens before its next step */
    uint32_t *before;               /* for each task, what happened before its last step */
    uint32_t operation_count, touch_count;
    uint32_t operation_capacity, touch_capacity, clock_capacity, known_capacity, before_capacity;
};

static struct analysis *covering_create(const struct analysis_context *context) {
    if (context->coverage == NULL)
        return NULL;
    struct covering *self = pool_alloc(context->pool, sizeof *self);
    self->base.ops = &coverage_analysis;
    self->context = context;
    hash_table_init(&self->last_touches, context->pool);
    return &self->base;
}

static void covering_begin(struct analysis *base) {
    (void)base;
}

static void covering_save(struct analysis *base, struct image *image) {
    (void)base, (void)image;
}

/* --- what happens before -------------------------------------------------------------------- */

static uint32_t *row(uint32_t *rows, uint32_t width, uint32_t index) {
    return rows + (size_t)index * width;
}

static uint32_t *known_of(struct covering *self, uint32_t task) {
    return row(self->known, self->width, task);
}

static uint32_t *before_of(struct covering *self, uint32_t task) {
    return row(self->before, self->width, task);
}

static bool is_task(const struct covering *self, uint32_t task) {
    return task < self->width;
}

/* Nested events belong to the step of their section. */
static void begin_step(struct covering *self, const struct event *event) {
    uint32_t *known = known_of(self, event->task);
    if (event->flags & EVENT_NESTED)
        return;
    memcpy(before_of(self, event->task), known, self->width * sizeof *known);
    known[event->task]++;
}

/* The end of a task happens before its join, and the join is possible only after it. */
static void join_task(struct covering *self, const struct event *event) {
    const struct op *op = &event->op;
    bool joins = op_joins(op->kind) && !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
    if (joins && is_task(self, op->target) && op->target != event->task)
        clock_row_join(known_of(self, event->task), known_of(self, op->target), self->width);
}

static void create_task(struct covering *self, const struct event *event) {
    if (event->op.kind != OP_CREATE || (event->flags & EVENT_FAILED) ||
        !is_task(self, event->op.target) || event->op.target == event->task)
        return;
    clock_row_join(known_of(self, event->op.target), known_of(self, event->task), self->width);
}

/* --- pairs ---------------------------------------------------------------------------------- */

/* The object that both operations share; 0: not a single object. */
static uint64_t shared_object(const struct op *a, const struct op *b) {
    enum op_class class = op_info(a->kind)->class;
    if (class != op_info(b->kind)->class)
        return 0;
    if (class == CLASS_MEMORY && a->object < b->object + b->size && b->object < a->object + a->size)
        return a->object > b->object ? a->object : b->object;
    if (class != CLASS_OBJECT)
        return 0;
    if (a->object2 != 0 && a->object2 == b->object2 && a->object != b->object)
        return a->object2;
    if (a->object == b->object || a->object == b->object2)
        return a->object;
    return a->object2 == b->object ? a->object2 : 0;
}

static void meet(struct covering *self, uint32_t number, const struct event *event, uint32_t at) {
    struct operation *earlier = &self->operations[number];
    if (earlier->met == at + 1 || earlier->event->task == event->task)
        return;
    earlier->met = at + 1;
    earlier->dependent = dependent_events(earlier->event, event);
    if (earlier->dependent)
        clock_row_join(known_of(self, event->task), row(self->clocks, self->width, number),
                       self->width);
}

/* Number + 1; 0 for none. */
static uint32_t last_touch(const struct covering *self, uint64_t key) {
    const struct hash_slot *slot = hash_table_find(&self->last_touches, key);
    return slot != NULL ? slot->value : 0;
}

static void meet_key(struct covering *self, uint64_t key, const struct event *event, uint32_t at) {
    for (uint32_t i = last_touch(self, key); i > 0; i = self->touches[i - 1].earlier)
        meet(self, self->touches[i - 1].operation, event, at);
}

static void meet_all(struct covering *self, const struct event *event, uint32_t at) {
    for (uint32_t i = 0; i < self->operation_count; i++)
        meet(self, i, event, at);
}

/* Counts the pair of the earlier operation and the event. Everything that happens before the event
 * is known now. */
static void note(struct covering *self, struct operation *earlier, const struct event *event,
                 uint32_t at) {
    struct coverage *coverage = self->context->coverage;
    uint32_t task = earlier->event->task;
    uint64_t object = shared_object(&earlier->event->op, &event->op);
    if (earlier->noted == at + 1 || task == event->task || object == 0 ||
        !dependent(&earlier->event->op, &event->op))
        return;
    earlier->noted = at + 1;
    bool open = earlier->dependent && earlier->step > before_of(self, event->task)[task];
    coverage_add(coverage, earlier->event, event, object, open);
    if (!earlier->dependent && earlier->step > known_of(self, event->task)[task])
        coverage_add(coverage, event, earlier->event, object, false);
}

static void note_key(struct covering *self, uint64_t key, const struct event *event, uint32_t at) {
    for (uint32_t i = last_touch(self, key); i > 0; i = self->touches[i - 1].earlier)
        note(self, &self->operations[self->touches[i - 1].operation], event, at);
}

/* --- remembering ---------------------------------------------------------------------------- */

/* Whether every operation that depends on one of the two depends on the other. */
static bool alike(const struct event *a, const struct event *b) {
    const struct op *x = &a->op, *y = &b->op;
    return a->task == b->task && x->kind == y->kind && x->pc == y->pc && x->object == y->object &&
           x->object2 == y->object2 && x->size == y->size && x->timed == y->timed &&
           x->target == y->target && x->value == y->value && a->result == b->result &&
           a->flags == b->flags;
}

/* The values of messages, barriers and the like decide what depends on them. The value of a memory
 * access does not. */
static bool replaces(const struct event *a, const struct event *b) {
    if (op_info(a->op.kind)->class != CLASS_MEMORY)
        return alike(a, b);
    struct event other = *b;
    other.op.value = a->op.value;
    other.op.target = a->op.target;
    other.result = a->result;
    return alike(a, &other);
}

static uint32_t find_alike(struct covering *self, uint64_t key, const struct event *event) {
    for (uint32_t i = last_touch(self, key); i > 0; i = self->touches[i - 1].earlier) {
        uint32_t number = self->touches[i - 1].operation;
        if (replaces(self->operations[number].event, event))
            return number;
    }
    return self->operation_count;
}

static void add_touch(struct covering *self, uint64_t key, uint32_t number) {
    struct hash_slot *last = hash_table_get(&self->last_touches, key);
    self->touches = pool_grow(self->context->pool, self->touches, &self->touch_capacity,
                              (size_t)self->touch_count + 1, sizeof *self->touches);
    self->touches[self->touch_count] = (struct touch){number, last->value};
    last->value = ++self->touch_count;
}

static uint32_t add_operation(struct covering *self, const struct touch_keys *keys) {
    uint32_t number = self->operation_count++;
    struct pool *pool = self->context->pool;
    self->operations = pool_grow(pool, self->operations, &self->operation_capacity,
                                 (size_t)number + 1, sizeof *self->operations);
    self->clocks = pool_grow(pool, self->clocks, &self->clock_capacity,
                             ((size_t)number + 1) * self->width, sizeof *self->clocks);
    for (uint32_t i = 0; i < keys->count; i++)
        add_touch(self, keys->keys[i], number);
    return number;
}

static void remember(struct covering *self, const struct event *event,
                     const struct touch_keys *keys) {
    uint32_t number = self->operation_count;
    if (keys->count > 0)
        number = find_alike(self, keys->keys[0], event);
    if (number == self->operation_count)
        number = add_operation(self, keys);
    uint32_t *known = known_of(self, event->task);
    self->operations[number] = (struct operation){.event = event, .step = known[event->task]};
    memcpy(row(self->clocks, self->width, number), known, self->width * sizeof *known);
}

/* --- an execution --------------------------------------------------------------------------- */

static void look_at(struct covering *self, uint32_t at) {
    const struct event *event = &self->context->execution->events[at];
    struct touch_keys keys;
    if (event->flags & (EVENT_IDLE | EVENT_WAITED))
        self->context->coverage->idle = true;
    if (event->flags & (EVENT_NOTE | EVENT_IDLE))
        return;
    begin_step(self, event);
    join_task(self, event);
    touch_keys_of(&event->op, &keys);
    meet_key(self, TOUCH_ALL, event, at);
    for (uint32_t i = 0; i < keys.count; i++)
        meet_key(self, keys.keys[i], event, at);
    if (touches_all(&event->op))
        meet_all(self, event, at);
    for (uint32_t i = 0; i < keys.count; i++)
        note_key(self, keys.keys[i], event, at);
    create_task(self, event);
    remember(self, event, &keys);
}

/* Returns false if the execution is too large. */
static bool begin(struct covering *self) {
    const struct execution *execution = self->context->execution;
    struct pool *pool = self->context->pool;
    uint32_t tasks = events_of(execution).task_count;
    self->width = (tasks + CLOCK_BLOCK - 1) / CLOCK_BLOCK * CLOCK_BLOCK;
    if ((uint64_t)self->width * (execution->event_count + 2 * (uint64_t)tasks) > CLOCKS_MAX)
        return false;
    hash_table_clear(&self->last_touches);
    self->operation_count = self->touch_count = 0;
    size_t rows = (size_t)self->width * self->width;
    self->known = pool_grow(pool, self->known, &self->known_capacity, rows, sizeof *self->known);
    self->before =
        pool_grow(pool, self->before, &self->before_capacity, rows, sizeof *self->before);
    if (rows > 0)
        memset(self->known, 0, rows * sizeof *self->known);
    return true;
}

static void covering_end(struct analysis *base, enum outcome outcome, const struct choice *last) {
    struct covering *self = (struct covering *)base;
    struct coverage *coverage = self->context->coverage;
    (void)outcome, (void)last;
    if (self->context->host->evidence)
        return;
    if (!begin(self)) {
        coverage->left_out++;
        return;
    }
    coverage->executions++;
    for (uint32_t i = 0; i < self->context->execution->event_count; i++)
        look_at(self, i);
}

const struct analysis_ops coverage_analysis = {
    .name = "coverage",
    .by_history = true,
    .not_missed = true,
    .create = covering_create,
    .begin = covering_begin,
    .save = covering_save,
    .load = covering_save,
    .end = covering_end,
};
