/* line.h - the decisions of the simulator: those that are made, and those that were undone. They
 * form one line. Going back moves along it. Only a new decision that differs from the undone one
 * cuts the line there. Decisions from a trace are undone ones from the start. */
#ifndef CLI_SIM_LINE_H
#define CLI_SIM_LINE_H

#include "execution/execution.h"

struct line {
    struct decision *decisions; /* owned */
    uint32_t count, capacity;
    uint32_t at; /* how many decisions are made; the rest were undone */
};

void line_destroy(struct line *line);

/* Loads decisions, all of them as undone. */
void line_load(struct line *line, const struct decision *decisions, uint32_t count);

void line_decide(struct line *line, struct decision decision);

/* Returns the next decision along the line, or NULL at its end. */
const struct decision *line_next(const struct line *line);

/* Removes the decisions after `at`: the program ended earlier, or went another way. */
void line_cut(struct line *line);

/* Returns where the step of the decision before `at` begins, or 0 if there is none. */
uint32_t line_step(const struct line *line, uint32_t at);

#endif
