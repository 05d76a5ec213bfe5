/* tasks.h - the tasks on the screen, or the options of another choice than who moves. */
#ifndef CLI_SIM_TASKS_H
#define CLI_SIM_TASKS_H

#include "cli/sim/model.h"

/* A heading at `row`, then `rows` of them, the selected one among them. `active`: keys go there. */
void tasks_draw(struct model *model, int row, int rows, bool active);

#endif
