/* keys.h - the action of each key. */
#ifndef CLI_SIM_KEYS_H
#define CLI_SIM_KEYS_H

#include "cli/sim/model.h"
#include "cli/sim/save.h"
#include "cli/sim/view.h"

struct simulation {
    struct model model;
    struct view view;
    struct saver saver;
    bool quit;
};

/* Handles a key. The simulator must have the turn, and may have given it away afterwards. */
void keys_take(struct simulation *self, int key);

/* Shows the newest finding, with the text of its report. */
void keys_show_report(struct simulation *self);

#endif
