/* explore.h - the explore loop, which joins a system, a strategy, some analyses, and a session. All
 * of its state is in the session's pool, so that another process can go on. */
#ifndef ENGINE_EXPLORE_H
#define ENGINE_EXPLORE_H

#include "engine/analysis.h"
#include "engine/session.h"
#include "engine/strategy.h"
#include "engine/system.h"

struct explorer;

/* Opens the explorer of the session: a new one, or the one that an earlier process has left.
 * `replay` is the strategy that follows the decisions of an execution (strategies/replay.c); it
 * confirms findings. */
struct explorer *explorer_open(struct session *session, struct system *system,
                               const struct strategy_info *strategy,
                               const struct strategy_info *replay,
                               const struct analysis_ops *const *analyses, uint32_t analysis_count);

/* Runs the execution that is due next. Returns false if the session is done. */
bool explorer_execute(struct explorer *explorer);

/* Between two executions: gives a part of what is left of the search to another worker, or takes
 * the part of another one up before the first execution. Split returns false if there is nothing to
 * spare, or if the strategy cannot share (strategy_sharing). */
bool explorer_split(struct explorer *explorer, struct work *work, struct pool *pool);
void explorer_adopt(struct explorer *explorer, const struct work *work);

/* The process has died within the execution under way, by `signal`, or by _exit if `signal` is
 * 0. */
void explorer_died(struct explorer *explorer, int signal);

#endif
