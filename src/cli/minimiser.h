/* minimiser.h - `heddle min` on a trace that a run has just written, within a small budget.
 *
 * A process of its own, since a session stands at one fixed address and the run has one already. The run
 * waits for it; the trace as it was found is on disk before, so whatever happens here, nothing is lost. */
#ifndef CLI_MINIMISER_H
#define CLI_MINIMISER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/progress.h"

/* True if the file at `path` is the minimised trace now. A signal that ends the run (they are blocked,
 * and stay pending) ends this, too. */
bool minimiser_run(const char *path, uint32_t timeout_ms, struct progress *progress);

#endif
