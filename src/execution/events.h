/* events.h - the events of an execution, as borrowed by functions that only read them. Events of
 * the execution under way and events of a trace look the same here, since neither names nor stacks
 * are used. */
#ifndef EXECUTION_EVENTS_H
#define EXECUTION_EVENTS_H

#include "execution/execution.h"

struct events {
    const struct event *list; /* borrowed */
    uint32_t count;
    uint32_t task_count; /* each task of an event has a lower number */
};

struct events events_of(const struct execution *execution);

#endif
