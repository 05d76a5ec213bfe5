/* look_facts.h - what the round behind a look does with a value (look_facts.c). In a copy of the
 * process (trial.h), each function returns at once, and what it returns means nothing. */
#ifndef NATIVE_LOOK_FACTS_H
#define NATIVE_LOOK_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct look_fact;
struct task;

/* The look of a task that blocks, or may block. */
struct look {
    uint64_t place;  /* await.c */
    uint32_t number; /* engine/looks.h; 0: it does not block */
    bool told;       /* the accesses of a round with the value `told_value` were reported */
    uint64_t told_value;
    bool too_much; /* what its rounds do cannot be found out: the loop is to be an ordinary one */
};

/* Gives the look that the task stands before its number. Returns false if there can be none. */
bool look_identify(struct task *task);

/* The fact about a round with this value and the present content of memory. NULL in a copy. */
const struct look_fact *look_fact_for(struct task *task, uint64_t value);

/* The task comes back to the look as long as this value stays. */
bool look_goes_round(struct task *task, uint64_t value);

/* A value that may have been read in vain, before the task passes with the value `now`. Returns
 * false if the task could tell later. `values` are those that may have come in between. */
bool look_leaves_no_mark(struct task *task, uint64_t first, uint64_t now, const uint64_t *values,
                         uint32_t count);

/* The value of the bytes at which the task looks. */
uint64_t look_value(const struct task *task);

#endif
