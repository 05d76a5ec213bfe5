/* story.h - an execution told event by event, for tests of what follows from one. */
#ifndef TESTS_UNIT_STORY_H
#define TESTS_UNIT_STORY_H

#include "event/op_kind.h"
#include "execution/events.h"

struct story {
    struct pool *pool;
    struct event *events;
    uint32_t event_count, event_capacity;
    uint32_t task_count;
};

/* Begins an empty execution with `tasks` tasks. The first task has created the others before the
 * story begins. */
void story_begin(struct story *story, uint32_t tasks);
void story_end(struct story *story);

struct events story_events(const struct story *story);

/* Adds an event and returns its index. Pointers to events hold until the next call. */
uint32_t tell(struct story *story, uint32_t task, enum op_kind kind, uint64_t object);

/* Sets the number of the message that the last event sends or receives. */
void tell_message(struct story *story, uint64_t number);

#endif
