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
 * an execution twice, but it never loses one.
 *
 * An atomic section is predicted to touch what it has touched behind the first step (sections.h).
 * This is a guess: without the first step, the section may read another value and go another way.
 * Only optimal guesses. Nothing is lost by a wrong guess, for three reasons:
 * - That the section may come before other elements of its sequence follows from the guess. So the
 *   sequence may begin with it only if the move there has the same footprint (wakeup.c).
 * - A planned section may turn out to touch something else than was guessed. Then every task is
 *   planned in the state before it (step.c).
 * - Another move may seem to cover the sequence, because it is independent of the guess, but not of
 *   what the section would do. The section does the same as guessed up to its first access that
 *   meets the first step. So the first access that meets this move comes later. The race of the
 *   section with that move is planned as well, and of all such moves, one is met last. */
#ifndef STRATEGIES_DPOR_PREDICT_H
#define STRATEGIES_DPOR_PREDICT_H

#include "strategies/dpor/history.h"

/* Returns the second step of a race as it would be in place of the first; EVENT_AHEAD if this is
 * not known. */
struct event history_predict(struct history *history, const struct race *race);

#endif
