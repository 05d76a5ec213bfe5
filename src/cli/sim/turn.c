/* turn.c - see turn.h. */
#include "cli/sim/turn.h"

#include "event/event.h"

/* The enabled tasks come first in the list, in the order of their numbers. */
static uint32_t next_in_turn(const struct dialogue *dialogue) {
    for (uint32_t i = 0; i < dialogue->count; i++)
        if (dialogue->task != NO_TASK && dialogue->live[i].task > dialogue->task)
            return i;
    return 0;
}

uint32_t turn_pick(const struct dialogue *dialogue, bool gives_way) {
    for (uint32_t i = 0; !gives_way && i < dialogue->count; i++)
        if (dialogue->live[i].task == dialogue->task)
            return i;
    return next_in_turn(dialogue);
}

/* The end of a sleep is no such thing: after a time-out its task goes on. */
bool turn_gives_way(const struct event *event) {
    return !(event->flags & EVENT_NOTE) && op_has(event->op.kind, GIVES_WAY) &&
           !op_has(event->op.kind, SLEEPS);
}
