/* spans.c - see spans.h.
 *
 * One pass over the events keeps the state of each object (event/lock_state.h) and, of each task, the
 * operation it stands before: that of its next event, or of its wait in the finding. After an event
 * everybody who stands before something that it touched is asked again whether it could go on. */
#include "trace/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/lock_state.h"
#include "trace/waits.h"

enum { NO_SPAN = UINT32_MAX };

struct object {
    uint64_t address;
    struct lock_state state;
    bool begun;      /* there was an event on it */
    uint32_t rounds; /* of a barrier, that are complete */
    uint32_t held;   /* the span of its only holder, or NO_SPAN */
};

struct standing {
    const struct op *op; /* before it the task stands; NULL: before none */
    uint32_t waiting;    /* its span, or NO_SPAN */
    uint32_t round;      /* of the barrier at which it arrived */
    bool stuck;          /* `op` is of the finding: it will not go on */
};

struct walk {
    struct spans *spans;
    const struct trace *trace;
    struct object *objects; /* sorted by address */
    uint32_t object_count;
    struct standing *tasks;
    uint32_t *next; /* by event: the next one of its task, or event_count */
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

static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    CHECK(memory);
    return memory;
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
    const struct trace *trace = self->trace;
    uint32_t count = 0;
    self->objects = zeroed(2 * (size_t)trace->event_count, sizeof *self->objects);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct event *event = &trace->events[i];
        uint64_t addresses[] = {event->op.object, event->op.object2};
        for (int j = 0; j < 2 && has_objects(event); j++)
            if (addresses[j] != 0)
                self->objects[count++] = (struct object){.address = addresses[j], .held = NO_SPAN};
    }
    qsort(self->objects, count, sizeof *self->objects, compare_objects);
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
    span.to = self->trace->event_count;
    *(struct span *)TRACE_ADD(self->spans->list, self->spans->count) = span;
    return self->spans->count - 1;
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
            span->to == self->trace->event_count) {
            span->to = at;
            return;
        }
    }
}

static bool reads_lock(const struct event *event) {
    return (event->op.kind == OP_READ_LOCK || event->op.kind == OP_TRY_READ_LOCK) &&
           !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
}

static void follow_holder(struct walk *self, struct object *object, uint32_t at) {
    const struct event *event = &self->trace->events[at];
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

/* Who holds it himself and goes on has a recursive lock. */
static bool lock_blocks(const struct walk *self, uint32_t task, const struct op *op) {
    const struct object *object = object_at(self, op->object);
    struct lock_state untouched = {0};
    if (object == NULL || !object->begun)
        return !lock_state_allows(&untouched, op);
    return !lock_state_allows(&object->state, op) && holder_of(self, op) != task;
}

static bool has_ended(const struct walk *self, uint32_t task, uint32_t at) {
    return task >= self->trace->task_count || self->spans->ends[task] <= at;
}

static bool must_wait(const struct walk *self, uint32_t task, uint32_t at) {
    const struct standing *standing = &self->tasks[task];
    const struct op *op = standing->op;
    const struct object *object = object_at(self, op->object);
    switch ((enum op_kind)op->kind) {
    case OP_COND_SLEEP:
    case OP_COND_WAKE: return true;
    case OP_BARRIER_LEAVE: return object != NULL && object->rounds == standing->round;
    case OP_JOIN: return !op->timed && !has_ended(self, op->target, at);
    default: return op_info(op->kind)->class == CLASS_OBJECT && lock_blocks(self, task, op);
    }
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

/* The tasks that the event may have let go, or stopped. */
static void ask_others(struct walk *self, uint32_t at) {
    const struct event *event = &self->trace->events[at];
    for (uint32_t task = 0; task < self->trace->task_count; task++) {
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
    const struct event *event = &self->trace->events[at];
    uint64_t addresses[] = {event->op.object, event->op.object2};
    for (int i = 0; i < 2 && has_objects(event); i++) {
        struct object *object = object_at(self, addresses[i]);
        if (object == NULL || (i == 1 && addresses[1] == addresses[0]))
            continue;
        if (!object->begun)
            lock_state_begin(&object->state, event);
        object->begun = true;
        lock_state_apply(&object->state, event, addresses[i]);
        object->rounds += event->op.kind == OP_BARRIER_ARRIVE && event->result == 1;
        if (event->op.kind == OP_BARRIER_ARRIVE)
            self->tasks[event->task].round = object->rounds;
        follow_holder(self, object, at);
    }
}

/* What the task stands before, once the event is over. */
static void move_on(struct walk *self, uint32_t at) {
    const struct event *event = &self->trace->events[at];
    struct standing *standing = &self->tasks[event->task];
    uint32_t next = self->next[at];
    const struct finding_wait *wait = waits_of(&self->trace->finding, event->task);
    while (next < self->trace->event_count && (self->trace->events[next].flags & EVENT_NOTE))
        next = self->next[next];
    standing->stuck = next == self->trace->event_count && wait != NULL;
    standing->op = next < self->trace->event_count ? &self->trace->events[next].op
                   : wait != NULL                  ? &wait->op
                                                   : NULL;
}

static bool is_joined(const struct trace *trace, uint32_t task) {
    for (uint32_t i = trace->event_count; i-- > 0;) {
        const struct event *event = &trace->events[i];
        bool joins = event->op.kind == OP_JOIN || event->op.kind == OP_TRYJOIN;
        if (joins && event->op.target == task &&
            !(event->flags & (EVENT_NOTE | EVENT_FAILED | EVENT_TIMED_OUT)))
            return true;
    }
    return false;
}

/* With its last event, if that is its end or if somebody joined it. */
static void find_ends(struct walk *self) {
    const struct trace *trace = self->trace;
    uint32_t *last = zeroed(trace->task_count, sizeof *last);
    for (uint32_t i = 0; i < trace->event_count; i++)
        last[trace->events[i].task] = i + 1;
    for (uint32_t task = 0; task < trace->task_count; task++) {
        bool ends = last[task] > 0 &&
                    (trace->events[last[task] - 1].op.kind == OP_END || is_joined(trace, task));
        self->spans->ends[task] = ends ? last[task] - 1 : trace->event_count;
    }
    free(last);
}

static void find_next(struct walk *self) {
    uint32_t count = self->trace->event_count;
    uint32_t *first = zeroed(self->trace->task_count, sizeof *first);
    for (uint32_t task = 0; task < self->trace->task_count; task++)
        first[task] = count;
    for (uint32_t i = count; i-- > 0;) {
        self->next[i] = first[self->trace->events[i].task];
        first[self->trace->events[i].task] = i;
    }
    free(first);
}

void spans_init(struct spans *spans, const struct trace *trace) {
    struct walk self = {.spans = spans, .trace = trace};
    *spans = (struct spans){0};
    self.tasks = zeroed(trace->task_count, sizeof *self.tasks);
    self.next = zeroed(trace->event_count, sizeof *self.next);
    for (uint32_t task = 0; task < trace->task_count; task++)
        self.tasks[task].waiting = NO_SPAN;
    spans->ends = zeroed(trace->task_count, sizeof *spans->ends);
    find_ends(&self);
    find_objects(&self);
    find_next(&self);
    for (uint32_t at = 0; at < trace->event_count; at++) {
        close_span(&self, &self.tasks[trace->events[at].task].waiting, at);
        if (trace->events[at].flags & EVENT_NOTE)
            continue;
        apply(&self, at);
        move_on(&self, at);
        ask_others(&self, at);
        ask(&self, trace->events[at].task, at);
    }
    free(self.tasks);
    free(self.next);
    free(self.objects);
}

void spans_destroy(struct spans *spans) {
    free(spans->list);
    free(spans->ends);
    *spans = (struct spans){0};
}
