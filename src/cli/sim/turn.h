/* turn.h - which task moves when the simulator runs by itself. The task that moved last goes on. If
 * it cannot, or if it gives way (a yield, a sleep), the next task in turn moves, by its number. So
 * an enabled task does not wait forever, unless others move forever without giving way. */
#ifndef CLI_SIM_TURN_H
#define CLI_SIM_TURN_H

#include "engine/dialogue.h"

/* Returns an option of the current choice, which has at least one. */
uint32_t turn_pick(const struct dialogue *dialogue, bool gives_way);

/* Returns true for an event after which other tasks should have their turn. */
bool turn_gives_way(const struct event *event);

#endif
