/* execution.c - see execution.h. */
#include "execution/execution.h"

#include <string.h>

#include "base/check.h"
#include "base/narrow.h"
#include "event/event.h"

const char *choice_tag_name(enum choice_tag tag) {
    static const char *const names[CHOICE_TAGS] = {"schedule", "value", "wake", "timeout"};
    CHECK(tag < CHOICE_TAGS);
    return names[tag];
}

void execution_init(struct execution *execution, struct pool *pool) {
    memset(execution, 0, sizeof *execution);
    execution->pool = pool;
    execution_clear(execution);
}

/* Index 0 of frames and text stays unused, so that 0 can mean "none". */
void execution_clear(struct execution *execution) {
    execution->decision_count = execution->event_count = execution->skipped = 0;
    execution->frame_count = execution->text_count = 1;
    execution->blocks.count = 0;
}

static void *copy_array(struct pool *pool, const void *from, uint32_t count, uint32_t *capacity,
                        void *to, size_t element) {
    to = pool_grow(pool, to, capacity, count, element);
    if (from != NULL && count)
        memcpy(to, from, count * element);
    return to;
}

void execution_copy(struct execution *to, const struct execution *from) {
    struct pool *pool = to->pool;
    to->decisions = copy_array(pool, from->decisions, from->decision_count, &to->decision_capacity,
                               to->decisions, sizeof *to->decisions);
    to->events = copy_array(pool, from->events, from->event_count, &to->event_capacity, to->events,
                            sizeof *to->events);
    to->frames = copy_array(pool, from->frames, from->frame_count, &to->frame_capacity, to->frames,
                            sizeof *to->frames);
    to->text = copy_array(pool, from->text, from->text_count, &to->text_capacity, to->text, 1);
    to->blocks.items = copy_array(pool, from->blocks.items, from->blocks.count,
                                  &to->blocks.capacity, to->blocks.items, sizeof *to->blocks.items);
    to->blocks.count = from->blocks.count;
    to->skipped = from->skipped;
    to->decision_count = from->decision_count;
    to->event_count = from->event_count;
    to->frame_count = from->frame_count;
    to->text_count = from->text_count;
}

uint32_t execution_add_stack(struct execution *execution, const uint64_t *pcs, uint32_t count) {
    uint32_t at = execution->frame_count;
    execution->frames = pool_grow(execution->pool, execution->frames, &execution->frame_capacity,
                                  (size_t)at + count + 1, sizeof *execution->frames);
    execution->frames[at] = count;
    memcpy(execution->frames + at + 1, pcs, count * sizeof *pcs);
    execution->frame_count = at + count + 1;
    return at;
}

uint32_t execution_add_text(struct execution *execution, const char *text) {
    uint32_t at = execution->text_count;
    size_t length = strlen(text) + 1;
    execution->text =
        pool_grow(execution->pool, execution->text, &execution->text_capacity, at + length, 1);
    memcpy(execution->text + at, text, length);
    execution->text_count = narrow_u32(at + length);
    return at;
}

void execution_grow_decisions(struct execution *execution) {
    execution->decisions =
        pool_grow(execution->pool, execution->decisions, &execution->decision_capacity,
                  (size_t)execution->decision_count + 1, sizeof *execution->decisions);
}

static void grow_events(struct execution *execution) {
    execution->events = pool_grow(execution->pool, execution->events, &execution->event_capacity,
                                  (size_t)execution->event_count + 1, sizeof *execution->events);
}

struct event *execution_add_event(struct execution *execution) {
    if (__builtin_expect(execution->event_count == execution->event_capacity, 0))
        grow_events(execution);
    return &execution->events[execution->event_count++];
}

static void add_line(struct execution *execution, uint32_t task, uint32_t flags, const char *text,
                     uint64_t pc) {
    struct event *event = execution_add_event(execution);
    *event = (struct event){.task = task,
                            .flags = flags,
                            .op = {.kind = OP_YIELD, .pc = pc},
                            .note = execution_add_text(execution, text)};
}

void execution_add_note(struct execution *execution, uint32_t task, const char *text, uint64_t pc) {
    add_line(execution, task, EVENT_NOTE, text, pc);
}

void execution_add_hint(struct execution *execution, uint32_t task, const char *text, uint64_t pc) {
    add_line(execution, task, EVENT_NOTE | EVENT_HINT, text, pc);
}

/* A search that remembers states does not count messages. Then the number is 0. The result of a
 * store is the value before it, which the task does not see. In a variable that is new on a stack,
 * this may be left over from code of Heddle, which runs on that stack too. */
static bool same_result(const struct event *a, const struct event *b) {
    bool message = a->op.kind == OP_SEND || op_receives(a->op.kind);
    return a->result == b->result || a->op.kind == OP_STORE ||
           (message && (a->number == 0 || b->number == 0));
}

/* Older traces do not say how a read-modify-write changed its value. Then the modification is 0. */
static bool same_target(const struct op *a, const struct op *b) {
    return a->target == b->target ||
           (a->kind == OP_RMW && (a->modification == 0 || b->modification == 0));
}

static bool same_event(const struct event *a, const struct event *b) {
    return a->task == b->task && a->op.kind == b->op.kind && a->op.object == b->op.object &&
           a->op.object2 == b->op.object2 && a->op.value == b->op.value &&
           same_target(&a->op, &b->op) && same_result(a, b) &&
           /* it follows from the other events */
           ((a->flags ^ b->flags) & ~(uint32_t)(EVENT_IDLE | EVENT_WAITED)) == 0;
}

/* Notes are recorded only if they will be read. */
static uint32_t skip_notes(const struct execution *execution, uint32_t at) {
    while (at < execution->event_count && (execution->events[at].flags & EVENT_NOTE))
        at++;
    return at;
}

static bool is_always_recorded(const struct event *event) {
    return !(event->flags & EVENT_NOTE) || (event->flags & EVENT_HINT);
}

int64_t execution_difference(const struct execution *a, const struct execution *b) {
    uint32_t i = skip_notes(a, 0), j = 0;
    for (uint32_t left = a->skipped; left > 0 && j < b->event_count; j++)
        left -= is_always_recorded(&b->events[j]);
    j = skip_notes(b, j);
    while (i < a->event_count && j < b->event_count) {
        if (!same_event(&a->events[i], &b->events[j]))
            return i;
        i = skip_notes(a, i + 1);
        j = skip_notes(b, j + 1);
    }
    return i == a->event_count && j == b->event_count ? -1 : (int64_t)i;
}
