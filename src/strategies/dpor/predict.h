/* predict.h - what would have come of the second step of a race in place of the first? For example,
 * a lock that the first step has taken would be free, a load would find the old value, and a
 * receive would take the message before.
 *
 * The answer comes from the values of the two steps, or from the state of the object without the
 * first step (without.h). If it is known for every race, optimal has exactly one execution for each
 * trace.
 *
 * These last steps cannot be predicted:
 * - a compare-exchange behind an atomic section, or behind any other step of the sequence that may
 *   decide
 *   whether it succeeds
 * - an access that overlaps the bytes of the first step without being the same ones
 * - a receive by a predicate
 * - a choice within the step, unless it is the fate of a message that a machine sends, or part of a
 *   reaction to the same message
 * - a reaction of a machine to another message, and all else that depends on code of the program
 *
 * Then the event is EVENT_AHEAD: it depends on all that it may touch. That can make the search run
 * an execution twice, but it never loses one. */
#ifndef STRATEGIES_DPOR_PREDICT_H
#define STRATEGIES_DPOR_PREDICT_H

#include "strategies/dpor/history.h"

/* Returns the second step of a race as it would be in place of the first; EVENT_AHEAD if this is
 * not known. */
struct event history_predict(struct history *history, const struct race *race);

#endif
