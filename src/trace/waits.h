/* waits.h - who waits for whom in a finding. Each blocked task has at most one that would have to move
 * first, so following these from anywhere ends at somebody who could move, or goes round a cycle. */
#ifndef TRACE_WAITS_H
#define TRACE_WAITS_H

#include "trace/finding.h"

/* What a task waits for, or NULL if it does not. */
const struct finding_wait *waits_of(const struct finding *finding, uint32_t task);

/* Whether the wait is one of a cycle: following the holders comes back to it. */
bool waits_in_cycle(const struct finding *finding, const struct finding_wait *wait);

/* The first wait that is one of a cycle, or NULL. */
const struct finding_wait *waits_cycle(const struct finding *finding);

#endif
