/* save.h - the state at hand as a trace: for its report, for a file, for gdb. A choice within a step
 * cannot be where an execution is left: then the step is left out. */
#ifndef CLI_SIM_SAVE_H
#define CLI_SIM_SAVE_H

#include "cli/collect.h"
#include "cli/sim/model.h"

struct saver {
    struct collect_source source; /* without symbols: those of the model are used */
    const char *directory;        /* in which the program runs; NULL: here */
};

/* The text that `heddle run` would print; the caller frees it. */
char *save_report(const struct saver *saver, struct model *model);

/* A name that is free: PROGRAM.sim.trace, PROGRAM.sim.2.trace, ... */
void save_propose(const struct saver *saver, char *path, size_t size);

/* Into a new file; says how it went. */
void save_file(const struct saver *saver, struct model *model, const char *path);

/* A replay in gdb, which stops at what was found, or where the selected task is about to move; comes back
 * when that ends. The terminal is gdb's meanwhile. */
void save_debug(const struct saver *saver, struct model *model);

#endif
