/* save.h - the current state as a trace: for its report, for a file, for gdb. If the user is asked
 * within a step, that step is left out, because an execution cannot end there. */
#ifndef CLI_SIM_SAVE_H
#define CLI_SIM_SAVE_H

#include "cli/names/collect.h"
#include "cli/sim/model.h"

struct saver {
    struct collect_source source; /* has no symbols: those of the model are used */
    const char *directory;        /* the directory of the program; NULL means the current one */
};

/* Returns the text that `heddle run` would print; the caller frees it. */
char *save_report(const struct saver *saver, struct model *model);

/* Proposes a file name that is not in use: PROGRAM.sim.trace, PROGRAM.sim.2.trace, ... */
void save_propose(const struct saver *saver, char *path, size_t size);

/* Saves the trace in a new file, and says how it went. */
void save_file(const struct saver *saver, struct model *model, const char *path);

/* Starts a replay in gdb, which stops at the finding, or where the selected task is about to move.
 * Returns when gdb ends. In the meantime gdb has the terminal. */
void save_debug(const struct saver *saver, struct model *model);

#endif
