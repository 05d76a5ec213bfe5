/* causality.c - see causality.h.
 *
 * One pass with vector clocks. For an event, each other task is searched backwards from its last event
 * to the first that is known to come before anyhow; the latest dependent one on the way comes before
 * it. Of those found, the later ones are taken first: an earlier one that they know of needs no arrow. */
#include "trace/causality.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/dependence.h"

/* Beyond this nobody would wait for it: 256 MB of clocks, some seconds of comparing. */
enum { CLOCKS_MAX = 1 << 26, COMPARISONS_MAX = 1 << 28 };

struct builder {
    struct causality *causality;
    const struct trace *trace;
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
    return clock_of(self, event)[self->trace->events[earlier].task] > earlier;
}

static void add_arrow(struct builder *self, uint32_t from, uint32_t to, enum arrow_kind kind) {
    struct causality *causality = self->causality;
    *(struct arrow *)TRACE_ADD(causality->arrows, causality->arrow_count) =
        (struct arrow){from, to, kind};
}

static bool is_operation(const struct event *event) {
    return !(event->flags & EVENT_NOTE);
}

static bool is_message(const struct event *send, const struct event *receive) {
    return send->op.kind == OP_SEND && op_receives(receive->op.kind) &&
           !((send->flags | receive->flags) & EVENT_FAILED) &&
           send->op.object == receive->op.object && send->result == receive->result;
}

static bool depends(const struct builder *self, const struct event *a, const struct event *b) {
    if (self->sends == SENDS_FREE && a->op.kind == OP_SEND && b->op.kind == OP_SEND)
        return false;
    return dependent_events(a, b);
}

/* The latest event of that task that comes before `at` because of the two themselves; -1: none. */
static int64_t latest_dependent(struct builder *self, uint32_t at, uint32_t task) {
    const struct event *events = self->trace->events;
    for (uint32_t i = self->last[task]; i > 0; i = self->previous[i - 1]) {
        if (is_known(self, at, i - 1))
            return -1;
        self->comparisons++;
        if (is_operation(&events[i - 1]) && depends(self, &events[i - 1], &events[at]))
            return i - 1;
    }
    return -1;
}

/* Program order, or creation. */
static void begin_row(struct builder *self, uint32_t at) {
    uint32_t task = self->trace->events[at].task;
    if (self->last[task] > 0) {
        join(self, at, self->last[task] - 1);
    } else if (self->born[task] > 0) {
        join(self, at, self->born[task] - 1);
        add_arrow(self, self->born[task] - 1, at, ARROW_CREATE);
    }
}

static void join_target(struct builder *self, uint32_t at) {
    const struct event *event = &self->trace->events[at];
    bool joins = (event->op.kind == OP_JOIN || event->op.kind == OP_TRYJOIN) &&
                 !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
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
    const struct event *events = self->trace->events;
    uint32_t count = 0;
    for (uint32_t task = 0; task < self->width; task++) {
        int64_t found = task != events[at].task ? latest_dependent(self, at, task) : -1;
        if (found >= 0)
            self->found[count++] = (uint32_t)found;
    }
    qsort(self->found, count, sizeof *self->found, compare_down);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = self->found[i];
        if (is_known(self, at, from))
            continue;
        bool message = is_message(&events[from], &events[at]);
        add_arrow(self, from, at, message ? ARROW_MESSAGE : ARROW_ORDER);
        join(self, at, from);
    }
}

/* The send of a message, even if other arrows lead from there to here: readers look for it. */
static void show_message(struct builder *self, uint32_t at, uint32_t first_arrow) {
    const struct trace *trace = self->trace;
    const struct causality *causality = self->causality;
    if (!op_receives(trace->events[at].op.kind) || (trace->events[at].flags & EVENT_FAILED))
        return;
    for (uint32_t i = first_arrow; i < causality->arrow_count; i++)
        if (causality->arrows[i].kind == ARROW_MESSAGE)
            return;
    for (uint32_t i = at; i-- > 0;) {
        if (!is_operation(&trace->events[i]) || !is_message(&trace->events[i], &trace->events[at]))
            continue;
        if (trace->events[i].task != trace->events[at].task)
            add_arrow(self, i, at, ARROW_MESSAGE);
        return;
    }
}

static void add_event(struct builder *self, uint32_t at) {
    const struct event *event = &self->trace->events[at];
    uint32_t first_arrow = self->causality->arrow_count;
    begin_row(self, at);
    if (is_operation(event)) {
        join_target(self, at);
        order_after_dependent(self, at);
        show_message(self, at, first_arrow);
        if (event->op.kind == OP_CREATE && !(event->flags & EVENT_FAILED) &&
            event->result < self->width && self->last[event->result] == 0)
            self->born[event->result] = at + 1;
    }
    clock_of(self, at)[event->task] = at + 1;
    self->previous[at] = self->last[event->task];
    self->last[event->task] = at + 1;
}

static void *zeroed(size_t count) {
    void *memory = calloc(count ? count : 1, sizeof(uint32_t));
    CHECK(memory);
    return memory;
}

static void forget(struct causality *causality) {
    free(causality->clocks);
    free(causality->arrows);
    causality->clocks = NULL;
    causality->arrows = NULL;
    causality->arrow_count = 0;
}

void causality_init(struct causality *causality, const struct trace *trace,
                    enum causality_sends sends) {
    *causality = (struct causality){.trace = trace};
    size_t size = (size_t)trace->event_count * trace->task_count;
    if (size > CLOCKS_MAX)
        return;
    struct builder self = {
        .causality = causality, .trace = trace, .sends = sends, .width = trace->task_count};
    causality->clocks = zeroed(size);
    self.last = zeroed(self.width);
    self.born = zeroed(self.width);
    self.found = zeroed(self.width);
    self.previous = zeroed(trace->event_count);
    uint32_t at = 0;
    while (at < trace->event_count && self.comparisons < COMPARISONS_MAX)
        add_event(&self, at++);
    causality->complete = at == trace->event_count;
    if (!causality->complete)
        forget(causality);
    uint32_t *arrays[] = {self.last, self.born, self.found, self.previous};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

void causality_destroy(struct causality *causality) {
    forget(causality);
}

bool causality_before(const struct causality *causality, uint32_t earlier, uint32_t later) {
    const struct trace *trace = causality->trace;
    if (!causality->complete || earlier == later)
        return false;
    return causality->clocks[(size_t)later * trace->task_count + trace->events[earlier].task] >
           earlier;
}
