/* model.h - the model: an explicit search over all interleavings of a program, state by state. */
#ifndef JUDGE_MODEL_H
#define JUDGE_MODEL_H

#include "program.h"

enum { OUTCOMES_MAX = 2000 };

struct answer {
    bool too_big; /* the search was given up, and no other field is valid */
    uint64_t states;
    /* The outcomes of all executions, sorted: failed assertions, and what the exit handler
     * records. */
    uint32_t outcomes;
    uint64_t outcome[OUTCOMES_MAX];
    bool stuck;     /* in some execution, tasks are left that can never go on */
    bool may_stick; /* the same, or the documents leave open whether it counts as stuck */
    bool race, misuse;
};

/* Searches at most `states_max` states. If `sloppy` is not 0, the search leaves out every
 * `sloppy`-th step. Then the model is wrong, and the judge must notice it. */
void model_answer(const struct program *program, uint64_t states_max, uint32_t sloppy,
                  struct answer *answer);

bool answer_has(const struct answer *answer, uint64_t outcome);

/* Prints the shortest schedule to an outcome, or, if `outcome` is 0, to a state with stuck
 * tasks. */
void model_explain(const struct program *program, uint64_t outcome, FILE *out);

#endif
