/* screen.h - draws the simulator: nothing here changes the model.
 *
 *     title: the program, how many steps, how many lie ahead
 *     tasks, or the options of another choice
 *     history: one column a task, as in the reports
 *     source, around what is selected: beside the history on a wide terminal, below it on others
 *     what stands there and why; the keys                                                           */
#ifndef CLI_SIM_SCREEN_H
#define CLI_SIM_SCREEN_H

#include "cli/sim/model.h"
#include "cli/sim/view.h"

void screen_draw(struct model *model, struct view *view);

/* The engine has the turn for longer than a moment. */
void screen_draw_busy(const struct model *model, uint64_t milliseconds);

#endif
