/* keys.h - what each key does. */
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

/* For whoever has the turn; afterwards that may not be so any more. */
void keys_take(struct simulation *self, int key);

/* The newest finding, in the words of its report. */
void keys_show_report(struct simulation *self);

#endif
