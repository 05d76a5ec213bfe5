/* screen.h - draws the simulator; nothing here changes the model.
 *
 *     title: the program, the number of steps, the number of steps ahead
 *     tasks, or the options of another choice
 *     history: one column for each task, as in the reports
 *     source around the selection: beside the history on a wide terminal, below it on others
 *     the state and its reason; the keys */
#ifndef CLI_SIM_SCREEN_H
#define CLI_SIM_SCREEN_H

#include "cli/sim/model.h"
#include "cli/sim/view.h"

void screen_draw(struct model *model, struct view *view);

/* Called if the engine has had the turn for longer than a moment. */
void screen_draw_busy(const struct model *model, uint64_t milliseconds);

#endif
