/* history.h - draws the steps up to now, one column for each task. */
#ifndef CLI_SIM_HISTORY_H
#define CLI_SIM_HISTORY_H

#include "cli/sim/model.h"
#include "cli/sim/view.h"

/* Draws a heading at `row`, then as many steps as fit: the last ones, or those around the selected
 * one. */
void history_draw(struct model *model, const struct view *view, int row, int rows, int width);

/* Prints one step completely, with its task and its place. */
void history_print_step(struct model *model, uint32_t at, FILE *out);

#endif
