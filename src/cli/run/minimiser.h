/* minimiser.h - `heddle min` on a trace that a run has just written, within a small budget.
 *
 * The minimiser is a process of its own, since a session stands at a fixed address and the run has
 * one already. The run waits for it, also with --keep-going. The time counts for --timeout only.
 * The trace was written to disk before, so nothing is lost if the minimiser fails. */
#ifndef CLI_MINIMISER_H
#define CLI_MINIMISER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/run/progress.h"

/* Returns true if the file at `path` is the minimised trace now. A signal that ends the run ends
 * the minimiser too; such signals are blocked and stay pending. */
bool minimiser_run(const char *path, uint32_t timeout_ms, struct progress *progress);

#endif
