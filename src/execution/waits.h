/* waits.h - which task waits for which other task in a finding. Each blocked task waits for at most
 * one task. So a walk along these waits ends at a task that could move, or goes round a cycle. */
#ifndef EXECUTION_WAITS_H
#define EXECUTION_WAITS_H

#include "execution/finding.h"

/* The wait of the task, or NULL if it does not wait. */
const struct finding_wait *waits_of(const struct finding *finding, uint32_t task);

/* Whether the wait is part of a cycle. */
bool waits_in_cycle(const struct finding *finding, const struct finding_wait *wait);

/* The first wait that is part of a cycle, or NULL. */
const struct finding_wait *waits_cycle(const struct finding *finding);

#endif
