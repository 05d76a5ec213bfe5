/* story.c - see story.h. */
#include "story.h"

#include "unit/harness.h"
#include "event/event.h"

void story_begin(struct story *story, uint32_t tasks) {
    *story = (struct story){.pool = pool_open(), .task_count = tasks};
}

void story_end(struct story *story) {
    pool_close(story->pool);
}

struct events story_events(const struct story *story) {
    return (struct events){
        .list = story->events, .count = story->event_count, .task_count = story->task_count};
}

uint32_t tell(struct story *story, uint32_t task, enum op_kind kind, uint64_t object) {
    story->events = pool_grow(story->pool, story->events, &story->event_capacity,
                              (size_t)story->event_count + 1, sizeof *story->events);
    struct event *event = &story->events[story->event_count];
    *event = (struct event){.task = task, .op = {.kind = kind, .size = 4, .object = object}};
    if (kind == OP_SEND || op_receives(kind))
        event->op.size = 0;
    return story->event_count++;
}

void tell_message(struct story *story, uint64_t number) {
    story->events[story->event_count - 1].result = number;
}
