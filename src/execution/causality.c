/* causality.c - see causality.h.
 *
 * One pass with vector clocks. For each event, the events of each other task are searched
 * backwards, from the last one down to the first that is known to happen before. The latest
 * dependent event on the way happens before the event at hand. The events that were found are taken
 * from the latest to the earliest: an earlier one that happens before a later one needs no
 * arrow. */
#include "execution/causality.h"

#include "base/check.h"
#include "base/sort.h"
#include "event/dependence.h"

/* Larger executions are given up: 256 MB of clocks, some seconds of comparing. */
enum { CLOCKS_MAX = 1 << 26, COMPARISONS_MAX = 1 << 28 };

struct builder {
    struct causality *causality;
    const struct event *events;
    enum causality_sends sends;
    uint32_t width;
    uint32_t *last;     /* by task: index + 1 of its last event, 0: none yet */
    uint32_t *born;     /* by task: index + 1 of the event that created it */
    uint32_t *previous; /* by event: index + 1 of the event of its task before */
    uint32_t *found;    /* candidates for the event at hand */
    uint64_t comparisons;
};

const char *arrow_kind_name(enum arrow_kind kind) {
    static const char *const names[] = {
        [ARROW_CREATE] = "create",
        [ARROW_JOIN] = "join",
        [ARROW_MESSAGE] = "message",
        [ARROW_ORDER] = "order",
    };
    CHECK(kind < ARROW_KINDS);
    return names[kind];
}

static uint32_t *clock_of(const struct builder *self, uint32_t event) {
    return self->causality->clocks + (size_t)event * self->width;
}

static void join(struct builder *self, uint32_t to, uint32_t from) {
    uint32_t *row = clock_of(self, to);
    const uint32_t *other = clock_of(self, from);
    for (uint32_t i = 0; i < self->width; i++)
        row[i] = row[i] > other[i] ? row[i] : other[i];
}

static bool is_known(const struct builder *self, uint32_t event, uint32_t earlier) {
    return clock_of(self, event)[self->events[earlier].task] > earlier;
}

static void add_arrow(struct builder *self, uint32_t from, uint32_t to, enum arrow_kind kind) {
    struct causality *causality = self->causality;
    causality->arrows = pool_grow(causality->pool, causality->arrows, &causality->arrow_capacity,
                                  (size_t)causality->arrow_count + 1, sizeof *causality->arrows);
    causality->arrows[causality->arrow_count++] = (struct arrow){from, to, kind};
}

static bool is_operation(const struct event *event) {
    return !(event->flags & EVENT_NOTE);
}

static bool is_message(const struct event *send, const struct event *receive) {
    return send->op.kind == OP_SEND && op_receives(receive->op.kind) &&
           !((send->flags | receive->flags) & EVENT_FAILED) &&
           send->op.object == receive->op.object && send->number == receive->number;
}

static bool depends(const struct builder *self, const struct event *a, const struct event *b) {
    if (self->sends == SENDS_FREE && a->op.kind == OP_SEND && b->op.kind == OP_SEND)
        return false;
    return dependent_events(a, b);
}

/* The latest event of the task that happens before `at` because the two are dependent; -1 if there
 * is none. */
static int64_t latest_dependent(struct builder *self, uint32_t at, uint32_t task) {
    const struct event *events = self->events;
    for (uint32_t i = self->last[task]; i > 0; i = self->previous[i - 1]) {
        if (is_known(self, at, i - 1))
            return -1;
        self->comparisons++;
        if (is_operation(&events[i - 1]) && depends(self, &events[i - 1], &events[at]))
            return i - 1;
    }
    return -1;
}

/* The first entries of the row come from the event before in the same task, or from the creation of
 * the task. */
static void begin_row(struct builder *self, uint32_t at) {
    uint32_t task = self->events[at].task;
    if (self->last[task] > 0) {
        join(self, at, self->last[task] - 1);
    } else if (self->born[task] > 0) {
        join(self, at, self->born[task] - 1);
        add_arrow(self, self->born[task] - 1, at, ARROW_CREATE);
    }
}

static void join_target(struct builder *self, uint32_t at) {
    const struct event *event = &self->events[at];
    bool joins = op_joins(event->op.kind) && !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
    uint32_t target = event->op.target;
    if (!joins || target >= self->width || self->last[target] == 0)
        return;
    uint32_t from = self->last[target] - 1;
    if (!is_known(self, at, from))
        add_arrow(self, from, at, ARROW_JOIN);
    join(self, at, from);
}

static int compare_down(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

static void order_after_dependent(struct builder *self, uint32_t at) {
    const struct event *events = self->events;
    uint32_t count = 0;
    for (uint32_t task = 0; task < self->width; task++) {
        int64_t found = task != events[at].task ? latest_dependent(self, at, task) : -1;
        if (found >= 0)
            self->found[count++] = (uint32_t)found;
    }
    sort(self->found, count, sizeof *self->found, compare_down);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = self->found[i];
        if (is_known(self, at, from))
            continue;
        bool message = is_message(&events[from], &events[at]);
        add_arrow(self, from, at, message ? ARROW_MESSAGE : ARROW_ORDER);
        join(self, at, from);
    }
}

/* Readers look for the arrow of a message. So it is added even if other arrows lead from its send
 * to its receive. */
static void show_message(struct builder *self, uint32_t at, uint32_t first_arrow) {
    const struct event *events = self->events;
    const struct causality *causality = self->causality;
    if (!op_receives(events[at].op.kind) || (events[at].flags & EVENT_FAILED))
        return;
    for (uint32_t i = first_arrow; i < causality->arrow_count; i++)
        if (causality->arrows[i].kind == ARROW_MESSAGE)
            return;
    for (uint32_t i = at; i-- > 0;) {
        if (!is_operation(&events[i]) || !is_message(&events[i], &events[at]))
            continue;
        if (events[i].task != events[at].task)
            add_arrow(self, i, at, ARROW_MESSAGE);
        return;
    }
}

static void add_event(struct builder *self, uint32_t at) {
    const struct event *event = &self->events[at];
    uint32_t first_arrow = self->causality->arrow_count;
    begin_row(self, at);
    if (is_operation(event)) {
        join_target(self, at);
        order_after_dependent(self, at);
        show_message(self, at, first_arrow);
        if (event->op.kind == OP_CREATE && !(event->flags & EVENT_FAILED) &&
            event->child < self->width && self->last[event->child] == 0)
            self->born[event->child] = at + 1;
    }
    clock_of(self, at)[event->task] = at + 1;
    self->previous[at] = self->last[event->task];
    self->last[event->task] = at + 1;
}

static uint32_t *zeroed(const struct causality *causality, size_t count) {
    return pool_alloc(causality->pool, count * sizeof(uint32_t));
}

static void release(const struct causality *causality, uint32_t *numbers, size_t count) {
    pool_free(causality->pool, numbers, count * sizeof(uint32_t));
}

static size_t clocks_count(const struct causality *causality) {
    return (size_t)causality->events.count * causality->events.task_count;
}

static void build(struct causality *causality, enum causality_sends sends) {
    uint32_t width = causality->events.task_count, count = causality->events.count, at = 0;
    struct builder self = {.causality = causality,
                           .events = causality->events.list,
                           .sends = sends,
                           .width = width,
                           .last = zeroed(causality, width),
                           .born = zeroed(causality, width),
                           .found = zeroed(causality, width),
                           .previous = zeroed(causality, count)};
    while (at < count && self.comparisons < COMPARISONS_MAX)
        add_event(&self, at++);
    causality->complete = at == count;
    release(causality, self.last, width);
    release(causality, self.born, width);
    release(causality, self.found, width);
    release(causality, self.previous, count);
}

void causality_init(struct causality *causality, struct pool *pool, const struct events *events,
                    enum causality_sends sends) {
    *causality = (struct causality){.pool = pool, .events = *events};
    if (clocks_count(causality) > CLOCKS_MAX)
        return;
    causality->clocks = zeroed(causality, clocks_count(causality));
    build(causality, sends);
    if (!causality->complete)
        causality_destroy(causality);
}

void causality_destroy(struct causality *causality) {
    release(causality, causality->clocks, clocks_count(causality));
    pool_free(causality->pool, causality->arrows,
              causality->arrow_capacity * sizeof *causality->arrows);
    causality->clocks = NULL;
    causality->arrows = NULL;
    causality->arrow_count = causality->arrow_capacity = 0;
}

bool causality_before(const struct causality *causality, uint32_t earlier, uint32_t later) {
    const struct events *events = &causality->events;
    if (!causality->complete || earlier == later)
        return false;
    return causality->clocks[(size_t)later * events->task_count + events->list[earlier].task] >
           earlier;
}
