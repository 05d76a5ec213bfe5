/* explore.h - the explore loop: one system, one strategy, some analyses, and a session that
 * remembers. All of its state stands in the session's pool, so that another process can go on. */
#ifndef ENGINE_EXPLORE_H
#define ENGINE_EXPLORE_H

#include "engine/analysis.h"
#include "engine/session.h"
#include "engine/strategy.h"
#include "engine/system.h"

struct explorer;

/* The session's explorer: a new one, or the one that an earlier process left. `replay` is the strategy
 * that follows the decisions of an execution (strategies/replay.h); it confirms findings. */
struct explorer *explorer_open(struct session *session, struct system *system,
                               const struct strategy_ops *strategy,
                               const struct strategy_ops *replay,
                               const struct analysis_ops *const *analyses, uint32_t analysis_count);

/* Runs one execution, whatever is due next. False: the session is done. */
bool explorer_execute(struct explorer *explorer);

/* The execution under way ended with its process, by `signal` (or by _exit: 0). */
void explorer_died(struct explorer *explorer, int signal);

#endif
