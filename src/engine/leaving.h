/* leaving.h - when a search ends so that another strategy can go on. Only `heddle run` without
 * --strategy asks for this (options.leaves), and only its first two stages do (cli/run/stages.h).
 *
 * Each rule counts executions and steps, and no time, so that the same run ends at the same place:
 *
 *   loops   Executions do not end: several were cut off by --max-steps. Or they get longer and
 *           longer: a task goes round, and the longest execution is much longer than the first one
 *           (rounds.h).
 *   size    The estimate is far too large. This rule applies only if the user has set no budget.
 *   steps   The steps of this stage are used up (options.steps_max).
 *
 * The second stage searches by states. Its executions may be long, and its size is not known. So
 * only cut executions and steps count there: each cut one is a path of new states, and after the
 * first one nothing is verified.
 *
 * With --timeout the supervisor decides about the size, since only it knows the time. */
#ifndef ENGINE_LEAVING_H
#define ENGINE_LEAVING_H

#include <stdbool.h>

struct options;
struct result;

enum leaving { LEAVES_NOT, LEAVES_FOR_LOOPS, LEAVES_FOR_SIZE, LEAVES_FOR_STEPS };

/* Whether the search is to end here, between two executions. */
enum leaving leaving_due(const struct options *options, const struct result *result);

/* Whether executions get longer and longer, so that the search has no size. */
bool leaving_grows(const struct result *result);

/* The same for a search that has used up its part of --timeout. Where each round offers many
 * orders, executions get longer slowly, and the time would be over before they are long. */
bool leaving_grows_in_time(const struct result *result);

#endif
