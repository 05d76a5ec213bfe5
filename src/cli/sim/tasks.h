/* tasks.h - draws the tasks, or the options of a choice other than which task moves. */
#ifndef CLI_SIM_TASKS_H
#define CLI_SIM_TASKS_H

#include "cli/sim/model.h"

/* Draws a heading at `row`, then `rows` of the tasks, including the selected one. `active` means
 * that this pane has the keys. */
void tasks_draw(struct model *model, int row, int rows, bool active);

#endif
