/* spans.c - see spans.h.
 *
 * One pass over the events keeps the state of each object (event/lock_state.h), and for each task
 * the operation before which it stands: that of its next event, or that of its wait in the finding.
 * After each event, all tasks that stand before an operation on a touched object are checked again:
 * can they go on? */
#include "execution/spans.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/sort.h"
#include "event/lock_state.h"
#include "execution/waits.h"

enum { NO_SPAN = UINT32_MAX };

struct object {
    uint64_t address;
    struct lock_state state;
    bool begun;      /* there was an event on it */
    uint32_t rounds; /* barrier: the number of complete rounds */
    uint32_t held;   /* the span of its only holder, or NO_SPAN */
};

struct standing {
    const struct op *op; /* the operation before which the task stands; NULL: none */
    uint32_t waiting;    /* the span of its wait, or NO_SPAN */
    uint32_t round;      /* the round of the barrier at which it arrived */
    bool stuck;          /* `op` comes from the finding: the task never goes on */
};

struct walk {
    struct spans *spans;
    const struct event *events;
    uint32_t event_count, task_count;
    const struct finding *finding; /* NULL: none */
    struct object *objects;        /* sorted by address */
    uint32_t object_count;
    struct standing *tasks;
    uint32_t *next; /* for each event, the next event of its task, or event_count */
};

const char *span_kind_name(enum span_kind kind) {
    static const char *const names[] = {
        [SPAN_HELD] = "held",
        [SPAN_SHARED] = "shared",
        [SPAN_WAITING] = "waiting",
    };
    CHECK(kind < SPAN_KINDS);
    return names[kind];
}

static void *zeroed(const struct walk *self, size_t count, size_t size) {
    return pool_alloc(self->spans->pool, count * size);
}

static void release(const struct walk *self, void *items, size_t count, size_t size) {
    pool_free(self->spans->pool, items, count * size);
}

/* --- objects --- */

static int compare_objects(const void *a, const void *b) {
    const struct object *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static bool has_objects(const struct event *event) {
    return !(event->flags & EVENT_NOTE) && op_info(event->op.kind)->class == CLASS_OBJECT;
}

static void find_objects(struct walk *self) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->event_count; i++) {
        const struct event *event = &self->events[i];
        uint64_t addresses[] = {event->op.object, event->op.object2};
        for (int j = 0; j < 2 && has_objects(event); j++)
            if (addresses[j] != 0)
                self->objects[count++] = (struct object){.address = addresses[j], .held = NO_SPAN};
    }
    sort(self->objects, count, sizeof *self->objects, compare_objects);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || self->objects[i].address != self->objects[i - 1].address)
            self->objects[self->object_count++] = self->objects[i];
}

/* NULL: no event touches it. */
static struct object *object_at(const struct walk *self, uint64_t address) {
    struct object key = {.address = address};
    return bsearch(&key, self->objects, self->object_count, sizeof key, compare_objects);
}

/* --- spans --- */

static uint32_t open_span(struct walk *self, struct span span) {
    struct spans *spans = self->spans;
    span.to = self->event_count;
    spans->list = pool_grow(spans->pool, spans->list, &spans->capacity, (size_t)spans->count + 1,
                            sizeof *spans->list);
    spans->list[spans->count] = span;
    return spans->count++;
}

static void close_span(struct walk *self, uint32_t *span, uint32_t at) {
    if (*span != NO_SPAN)
        self->spans->list[*span].to = at;
    *span = NO_SPAN;
}

static void close_shared(struct walk *self, uint64_t object, uint32_t task, uint32_t at) {
    for (uint32_t i = self->spans->count; i-- > 0;) {
        struct span *span = &self->spans->list[i];
        if (span->kind == SPAN_SHARED && span->object == object && span->task == task &&
            span->to == self->event_count) {
            span->to = at;
            return;
        }
    }
}

static bool reads_lock(const struct event *event) {
    return op_info(event->op.kind)->act == ACT_TAKE_SHARED &&
           !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
}

static void follow_holder(struct walk *self, struct object *object, uint32_t at) {
    const struct event *event = &self->events[at];
    const struct lock_state *state = &object->state;
    bool held = state->holds > 0 || state->written || state->entered;
    if (held && object->held == NO_SPAN)
        object->held = open_span(self, (struct span){.kind = SPAN_HELD,
                                                     .task = event->task,
                                                     .object = object->address,
                                                     .from = at,
                                                     .holder = NO_TASK});
    else if (!held)
        close_span(self, &object->held, at);
    if (reads_lock(event))
        open_span(self, (struct span){.kind = SPAN_SHARED,
                                      .task = event->task,
                                      .object = object->address,
                                      .from = at,
                                      .holder = NO_TASK});
    else if (event->op.kind == OP_RW_UNLOCK)
        close_shared(self, object->address, event->task, at);
}

/* --- waiting --- */

static uint32_t holder_of(const struct walk *self, const struct op *op) {
    const struct object *object = object_at(self, op->object);
    if (op->kind == OP_JOIN)
        return op->target;
    return object != NULL && object->held != NO_SPAN ? self->spans->list[object->held].task
                                                     : NO_TASK;
}

/* If the holder itself can lock it again, the lock is recursive. */
static bool lock_blocks(const struct walk *self, uint32_t task, const struct op *op) {
    const struct object *object = object_at(self, op->object);
    struct lock_state untouched = {0};
    if (object == NULL || !object->begun)
        return !lock_state_allows(&untouched, op);
    return !lock_state_allows(&object->state, op) && holder_of(self, op) != task;
}

static bool has_ended(const struct walk *self, uint32_t task, uint32_t at) {
    return task >= self->task_count || self->spans->ends[task] <= at;
}

static bool must_wait(const struct walk *self, uint32_t task, uint32_t at) {
    const struct standing *standing = &self->tasks[task];
    const struct op *op = standing->op;
    const struct object *object = object_at(self, op->object);
    const struct op_info *info = op_info(op->kind);
    switch (info->wait) {
    case AWAIT_NONE:
    case AWAIT_EVER: return false;
    case AWAIT_ANY: return info->class == CLASS_OBJECT;
    case AWAIT_WAKE: return true;
    case AWAIT_ROUND: return object != NULL && object->rounds == standing->round;
    case AWAIT_TASK: return !op->timed && !has_ended(self, op->target, at);
    case AWAIT_STATE:
    case AWAIT_ROOM: return lock_blocks(self, task, op);
    }
    return false;
}

static void ask(struct walk *self, uint32_t task, uint32_t at) {
    struct standing *standing = &self->tasks[task];
    bool waits = standing->op != NULL && (standing->stuck || must_wait(self, task, at));
    if (!waits)
        close_span(self, &standing->waiting, at);
    else if (standing->waiting == NO_SPAN)
        standing->waiting = open_span(
            self, (struct span){.kind = SPAN_WAITING,
                                .task = task,
                                .object = standing->op->kind == OP_JOIN ? 0 : standing->op->object,
                                .from = at,
                                .holder = holder_of(self, standing->op)});
}

/* Checks the tasks that the event may have enabled or blocked. */
static void ask_others(struct walk *self, uint32_t at) {
    const struct event *event = &self->events[at];
    for (uint32_t task = 0; task < self->task_count; task++) {
        const struct op *op = self->tasks[task].op;
        if (op == NULL || task == event->task)
            continue;
        bool about = op->kind == OP_JOIN ? op->target == event->task
                                         : has_objects(event) && (op->object == event->op.object ||
                                                                  op->object == event->op.object2);
        if (about)
            ask(self, task, at);
    }
}

/* --- the walk --- */

static void apply(struct walk *self, uint32_t at) {
    const struct event *event = &self->events[at];
    uint64_t addresses[] = {event->op.object, event->op.object2};
    for (int i = 0; i < 2 && has_objects(event); i++) {
        struct object *object = object_at(self, addresses[i]);
        if (object == NULL || (i == 1 && addresses[1] == addresses[0]))
            continue;
        if (!object->begun)
            lock_state_begin(&object->state, event);
        object->begun = true;
        lock_state_apply(&object->state, event, addresses[i]);
        object->rounds += event->op.kind == OP_BARRIER_ARRIVE && event->last;
        if (event->op.kind == OP_BARRIER_ARRIVE)
            self->tasks[event->task].round = object->rounds;
        follow_holder(self, object, at);
    }
}

/* The operation before which the task stands after the event. */
static void move_on(struct walk *self, uint32_t at) {
    const struct event *event = &self->events[at];
    struct standing *standing = &self->tasks[event->task];
    uint32_t next = self->next[at];
    const struct finding_wait *wait =
        self->finding != NULL ? waits_of(self->finding, event->task) : NULL;
    while (next < self->event_count && (self->events[next].flags & EVENT_NOTE))
        next = self->next[next];
    standing->stuck = next == self->event_count && wait != NULL;
    standing->op = next < self->event_count ? &self->events[next].op
                   : wait != NULL           ? &wait->op
                                            : NULL;
}

static bool is_joined(const struct walk *self, uint32_t task) {
    for (uint32_t i = self->event_count; i-- > 0;) {
        const struct event *event = &self->events[i];
        if (op_joins(event->op.kind) && event->op.target == task &&
            !(event->flags & (EVENT_NOTE | EVENT_FAILED | EVENT_TIMED_OUT)))
            return true;
    }
    return false;
}

/* A task ended with its last event if that is an OP_END, or if some task joined it. */
static void find_ends(struct walk *self) {
    uint32_t *last = zeroed(self, self->task_count, sizeof *last);
    for (uint32_t i = 0; i < self->event_count; i++)
        last[self->events[i].task] = i + 1;
    for (uint32_t task = 0; task < self->task_count; task++) {
        bool ends = last[task] > 0 &&
                    (self->events[last[task] - 1].op.kind == OP_END || is_joined(self, task));
        self->spans->ends[task] = ends ? last[task] - 1 : self->event_count;
    }
    release(self, last, self->task_count, sizeof *last);
}

static void find_next(struct walk *self) {
    uint32_t count = self->event_count;
    uint32_t *first = zeroed(self, self->task_count, sizeof *first);
    for (uint32_t task = 0; task < self->task_count; task++)
        first[task] = count;
    for (uint32_t i = count; i-- > 0;) {
        self->next[i] = first[self->events[i].task];
        first[self->events[i].task] = i;
    }
    release(self, first, self->task_count, sizeof *first);
}

static void walk(struct walk *self) {
    for (uint32_t at = 0; at < self->event_count; at++) {
        close_span(self, &self->tasks[self->events[at].task].waiting, at);
        if (self->events[at].flags & EVENT_NOTE)
            continue;
        apply(self, at);
        move_on(self, at);
        ask_others(self, at);
        ask(self, self->events[at].task, at);
    }
}

void spans_init(struct spans *spans, struct pool *pool, const struct events *events,
                const struct finding *finding) {
    struct walk self = {.spans = spans,
                        .events = events->list,
                        .event_count = events->count,
                        .task_count = events->task_count,
                        .finding = finding};
    size_t objects_max = 2 * (size_t)self.event_count;
    *spans = (struct spans){.pool = pool, .task_count = events->task_count};
    spans->ends = zeroed(&self, self.task_count, sizeof *spans->ends);
    self.tasks = zeroed(&self, self.task_count, sizeof *self.tasks);
    self.next = zeroed(&self, self.event_count, sizeof *self.next);
    self.objects = zeroed(&self, objects_max, sizeof *self.objects);
    for (uint32_t task = 0; task < self.task_count; task++)
        self.tasks[task].waiting = NO_SPAN;
    find_ends(&self);
    find_objects(&self);
    find_next(&self);
    walk(&self);
    release(&self, self.tasks, self.task_count, sizeof *self.tasks);
    release(&self, self.next, self.event_count, sizeof *self.next);
    release(&self, self.objects, objects_max, sizeof *self.objects);
}

void spans_destroy(struct spans *spans) {
    pool_free(spans->pool, spans->list, spans->capacity * sizeof *spans->list);
    pool_free(spans->pool, spans->ends, spans->task_count * sizeof *spans->ends);
    *spans = (struct spans){.pool = spans->pool};
}
