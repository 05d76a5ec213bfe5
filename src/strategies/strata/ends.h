/* ends.h - from which states can the program come to an end? And does it have cycles?
 *
 * A state has the mark MARK_ENDS in the set of visited ones if it is known that an end can be reached from it: the
 * program ends, is stuck, or fails there, or is of no interest any more (a false assumption). An execution that comes to
 * a state that was seen before has not ended; its states are marked if that state is, and else they are open:
 * the steps between them are kept, and when the search is over, marks go back along them. A state that is open then
 * cannot come to an end, whatever the schedule.
 *
 * In a program that always ends nothing is open, and nothing is kept. So new states are marked at once, and the mark is
 * taken back in the other case.
 *
 * A mark also has the number of decisions by which its state was reached first (its level). If each step leads to
 * a higher level there is no cycle, and then every state leads to an end. So nothing but levels is tracked until a
 * step leads to the same level or a lower one; the search then begins again (LACKS_CYCLES).
 *
 * What it does not know, it says (unknown): where an entry of the set was lost, or there were too many steps to
 * keep. */
#ifndef STRATEGIES_STRATA_ENDS_H
#define STRATEGIES_STRATA_ENDS_H

#include "base/visited.h"

enum { MARK_ENDS = 1, LEVEL_MAX = (1 << (VISITED_NOTE_BITS - 1)) - 1 };

/* A state of the execution under way. */
struct passed {
    struct fingerprint state;
    bool new; /* to this execution */
};

struct passed_step {
    struct fingerprint from, to;
};

struct ends {
    struct pool *pool;       /* borrowed */
    struct visited *visited; /* borrowed */
    bool tracked;            /* marks and steps are kept; else only levels are */
    bool late; /* states are marked when an execution ends: they may come more than once in it */
    struct passed *path;
    uint32_t path_count, path_capacity;
    bool has_old; /* in the path */
    struct passed_step *steps;
    uint32_t step_count, step_capacity, step_limit;
    uint32_t settle_at; /* steps: with so many of them marks go back once */
    uint64_t open;      /* states without the mark */
    bool unknown;
};

void ends_init(struct ends *ends, struct pool *pool, struct visited *visited, uint64_t bytes);

/* The mark of a new state. */
uint32_t ends_mark(const struct ends *ends, uint32_t level);

static inline uint32_t ends_level(uint32_t mark) {
    return mark >> 1;
}

/* A new execution. Whenever twice as many steps are kept as the last time, marks go back over them, since most of them
 * are of no use any more then. */
void ends_begin(struct ends *ends);

/* The execution is in this state. */
void ends_pass(struct ends *ends, const struct fingerprint *state, bool new);

/* A state with this mark was met behind one of that level: is it known that an end can be reached from it? */
bool ends_known(const struct ends *ends, const struct fingerprint *state, uint32_t mark,
                uint32_t level);

/* The execution is over. `ended`: an end can be reached from its last state; else it came to the state `to`, or
 * was put aside (NULL). */
void ends_finish(struct ends *ends, bool ended, const struct fingerprint *to);

/* The search is over: what is open now stays so. */
void ends_settle(struct ends *ends);

/* Memory for the steps that are kept. */
static inline uint64_t ends_bytes(const struct ends *ends) {
    return ends->step_capacity * sizeof *ends->steps;
}

#endif
