/* execution.h - one execution: its decisions (enough to repeat it) and its events (enough to
 * explain it). It lives in a pool, and is cleared and filled again. Its arrays grow to the longest
 * execution. */
#ifndef EXECUTION_EXECUTION_H
#define EXECUTION_EXECUTION_H

#include "base/pool.h"
#include "execution/heap_blocks.h"

struct event;

/* The kinds of choices. Search, replay, recording and minimising treat all of them alike. */
enum choice_tag {
    CHOICE_SCHEDULE, /* which task moves next; the chosen value is a task */
    CHOICE_VALUE,    /* the value that heddle_choose(n) returns */
    CHOICE_WAKE,     /* the task that a signal wakes */
    CHOICE_TIMEOUT,  /* whether a timed wait times out, or a wait wakes up spuriously */
    CHOICE_TAGS
};

const char *choice_tag_name(enum choice_tag tag);

struct decision {
    uint32_t chosen;
    uint32_t count; /* the number of options */
    uint8_t tag;    /* enum choice_tag */
    /* the number of the event that came next, from 1, while exploring; 0: not known */
    uint32_t event;
};

struct execution {
    struct pool *pool; /* borrowed */
    struct decision *decisions;
    struct event *events;
    uint64_t *frames;          /* stacks, one after the other: a length, then that many addresses */
    char *text;                /* notes, each ended by a zero byte */
    struct heap_blocks blocks; /* recorded with stacks */
    uint32_t skipped;          /* the number of events before the recorded ones */
    uint32_t decision_count, decision_capacity;
    uint32_t event_count, event_capacity;
    uint32_t frame_count, frame_capacity;
    uint32_t text_count, text_capacity;
};

void execution_init(struct execution *execution, struct pool *pool);
void execution_clear(struct execution *execution);
void execution_copy(struct execution *to, const struct execution *from);

/* Returns the index of the stack, which is never 0: 0 means "not recorded". The same holds for
 * notes. */
uint32_t execution_add_stack(struct execution *execution, const uint64_t *pcs, uint32_t count);
uint32_t execution_add_text(struct execution *execution, const char *text);

/* Adds a line that the program has written as an event without an operation. A hint is such a line,
 * too. */
void execution_add_note(struct execution *execution, uint32_t task, const char *text, uint64_t pc);
void execution_add_hint(struct execution *execution, uint32_t task, const char *text, uint64_t pc);

void execution_grow_decisions(struct execution *execution);

static inline void execution_decide(struct execution *execution, struct decision decision) {
    if (__builtin_expect(execution->decision_count == execution->decision_capacity, 0))
        execution_grow_decisions(execution);
    execution->decisions[execution->decision_count++] = decision;
}

/* Adds an event, which is not cleared. The pointer is valid until the next call. */
struct event *execution_add_event(struct execution *execution);

/* The index of the first event in which the two executions differ, or -1. Task, kind, object and
 * values are compared. If one execution is a prefix of the other, they differ at its end. Only
 * events that both have recorded are compared; `b` has recorded all of its events. */
int64_t execution_difference(const struct execution *a, const struct execution *b);

#endif
