/* line.h - the decisions of the simulator, those made and those that were undone. One line: going back
 * moves along it, and only a decision that differs from what was undone cuts it there. Decisions that
 * come from a trace are "undone" ones from the start. */
#ifndef CLI_SIM_LINE_H
#define CLI_SIM_LINE_H

#include "trace/execution.h"

struct line {
    struct decision *decisions; /* owned */
    uint32_t count, capacity;
    uint32_t at; /* so many are made; those behind them were undone */
};

void line_destroy(struct line *line);

/* All of them undone. */
void line_load(struct line *line, const struct decision *decisions, uint32_t count);

void line_decide(struct line *line, struct decision decision);

/* The next decision along the line, or NULL at its end. */
const struct decision *line_next(const struct line *line);

/* The program went no further, or another way: what lies behind `at` is nothing to go on with. */
void line_cut(struct line *line);

/* Where the step begins that the decision before `at` belongs to: 0 if there is none. */
uint32_t line_step(const struct line *line, uint32_t at);

#endif
