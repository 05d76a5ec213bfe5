/* events.c - see events.h. */
#include "execution/events.h"

#include "event/event.h"

static uint32_t count_tasks(const struct execution *execution) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < execution->event_count; i++) {
        const struct event *event = &execution->events[i];
        if (event->task >= count)
            count = event->task + 1;
        if (event->op.kind == OP_CREATE && event->op.target != NO_TASK && event->op.target >= count)
            count = event->op.target + 1;
    }
    return count;
}

struct events events_of(const struct execution *execution) {
    return (struct events){.list = execution->events,
                           .count = execution->event_count,
                           .task_count = count_tasks(execution)};
}
