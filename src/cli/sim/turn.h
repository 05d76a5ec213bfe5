/* turn.h - who moves when the simulator runs by itself: whoever moved last goes on; if that cannot be, or
 * it gives way (a yield, a sleep), the next task in turn, by its number. So nobody who can move waits for
 * ever, unless others move for ever without giving way. */
#ifndef CLI_SIM_TURN_H
#define CLI_SIM_TURN_H

#include "engine/dialogue.h"

/* An option of the schedule at hand, which has one at least. */
uint32_t turn_pick(const struct dialogue *dialogue, bool gives_way);

/* Whether an event is of the kind after which others should have their turn. */
bool turn_gives_way(const struct event *event);

#endif
