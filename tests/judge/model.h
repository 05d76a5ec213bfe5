/* model.h - all that a program can do: an explicit search over all interleavings, state by state. */
#ifndef JUDGE_MODEL_H
#define JUDGE_MODEL_H

#include "program.h"

enum { OUTCOMES_MAX = 2000 };

struct answer {
    bool too_big; /* nothing else holds then */
    uint64_t states;
    /* How an execution can end: failed assertions, and what the exit handler records. Sorted. */
    uint32_t outcomes;
    uint64_t outcome[OUTCOMES_MAX];
    bool
        stuck; /* some execution comes to where no task can ever go on, or ends beside such tasks */
    bool may_stick; /* the documents leave open whether that is one */
    bool race, misuse;
};

/* Searches at most `states_max` states. `sloppy` leaves out every so many-th step (0: none): the
 * model is wrong then, which the judge must notice. */
void model_answer(const struct program *program, uint64_t states_max, uint32_t sloppy,
                  struct answer *answer);

bool answer_has(const struct answer *answer, uint64_t outcome);

/* Prints the shortest schedule to an outcome, or to where tasks are stuck if that is 0. */
void model_explain(const struct program *program, uint64_t outcome, FILE *out);

#endif
