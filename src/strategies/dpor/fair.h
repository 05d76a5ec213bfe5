/* fair.h - no task that could move is left behind by a task that goes round.
 *
 * Where nothing is planned, DPOR lets the task go on that moved last. A loop that counts could then
 * use up all steps (--max-steps) before another task moves at all, and the search would learn
 * nothing. So tasks take turns in an execution that has a hundredth of those steps. A turn is
 * counted in free choices between several tasks. The first one is TURN choices long, the second
 * twice as long, and so on. After a turn, the task moves that has not moved for the longest time. If
 * it has to wait, so does the next one: all tasks that wait for less than the loop does move within
 * one turn. A shorter execution stays as it is. Each turn is paid for, since it makes more operations
 * race.
 *
 * An execution can be cut off before all tasks had a turn, if --max-steps is small. Then the tasks
 * that were left behind are planned.
 *
 * Left out: within a bound on preemptions or delays, each switch has its price, and nothing of this
 * applies. */
#ifndef STRATEGIES_DPOR_FAIR_H
#define STRATEGIES_DPOR_FAIR_H

#include "strategies/dpor/stack.h"

static inline void fair_init(struct fair *fair, uint32_t max_steps) {
    *fair = (struct fair){.from = max_steps / 100};
}

/* A new execution begins. */
static inline void fair_begin(struct fair *fair) {
    fair->turns = fair->used = 0;
}

/* The option to take where DPOR is free to choose, and would take `option`. */
uint32_t fair_option(struct dpor *self, const struct choice *choice, uint32_t option);

/* The execution was cut off in the state `last`: plans the tasks that could move, and did not do so
 * in its second half. */
void fair_plan_cut(struct dpor *self, const struct choice *last);

#endif
