/* execution.h - one execution: the decisions (enough to repeat it) beside the events (enough to
 * explain it). Lives in a pool, is cleared and filled again, and grows to the longest one seen. */
#ifndef TRACE_EXECUTION_H
#define TRACE_EXECUTION_H

#include "base/pool.h"
#include "event/event.h"
#include "trace/heap_blocks.h"

/* What was decided. Search, replay, recording and minimising treat all of them alike. */
enum choice_tag {
    CHOICE_SCHEDULE, /* who moves next: the chosen value is a task */
    CHOICE_VALUE,    /* what heddle_choose(n) returns */
    CHOICE_WAKE,     /* whom a signal wakes */
    CHOICE_TIMEOUT,  /* whether a timed wait, or a spurious wake-up, happens */
    CHOICE_TAGS
};

const char *choice_tag_name(enum choice_tag tag);

struct decision {
    uint32_t chosen;
    uint32_t count; /* how many options there were */
    uint8_t tag;    /* enum choice_tag */
    uint32_t event; /* the how many-th came next, from 1, while exploring; 0: not known */
};

struct execution {
    struct pool *pool; /* borrowed */
    struct decision *decisions;
    struct event *events;
    uint64_t *frames;          /* stacks, one after the other: a length, then that many addresses */
    char *text;                /* notes, each ended by a zero byte */
    struct heap_blocks blocks; /* recorded with stacks */
    uint32_t skipped;          /* so many events came before those that are recorded */
    uint32_t decision_count, decision_capacity;
    uint32_t event_count, event_capacity;
    uint32_t frame_count, frame_capacity;
    uint32_t text_count, text_capacity;
};

void execution_init(struct execution *execution, struct pool *pool);
void execution_clear(struct execution *execution);
void execution_destroy(struct execution *execution);
void execution_copy(struct execution *to, const struct execution *from);

/* The index behind a stack is never 0: 0 means "not recorded". Likewise for notes. */
uint32_t execution_add_stack(struct execution *execution, const uint64_t *pcs, uint32_t count);
uint32_t execution_add_text(struct execution *execution, const char *text);

/* A line of the program's own, as an event without an operation; a hint is one, too. */
void execution_add_note(struct execution *execution, uint32_t task, const char *text, uint64_t pc);
void execution_add_hint(struct execution *execution, uint32_t task, const char *text, uint64_t pc);

void execution_grow_decisions(struct execution *execution);
void execution_grow_events(struct execution *execution);

static inline void execution_decide(struct execution *execution, struct decision decision) {
    if (__builtin_expect(execution->decision_count == execution->decision_capacity, 0))
        execution_grow_decisions(execution);
    execution->decisions[execution->decision_count++] = decision;
}

/* Room for one more event, not cleared; the pointer holds until the next call. */
static inline struct event *execution_add_event(struct execution *execution) {
    if (__builtin_expect(execution->event_count == execution->event_capacity, 0))
        execution_grow_events(execution);
    return &execution->events[execution->event_count++];
}

/* The first event in which the two differ, or -1: task, kind, object, values. A prefix of the other
 * differs at its end. Only what both have recorded is compared, and b lacks nothing. */
int64_t execution_difference(const struct execution *a, const struct execution *b);

#endif
