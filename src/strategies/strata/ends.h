/* ends.h - from which states can the program come to an end? And does the program have cycles?
 *
 * The set of visited states has a mark for each state (MARK_ENDS). The mark means that an end is
 * known to be reachable from the state: the program ends there, is stuck or fails there, or is of
 * no interest any more (a false assumption).
 *
 * An execution that comes to a state that was seen before has not ended. If that state is marked,
 * the states of the execution are marked as well. Otherwise they are open, and the steps between
 * them are kept. When the search is over, marks go back along these steps. A state that is still
 * open then cannot come to an end, whatever the schedule.
 *
 * In a program that always ends no state is open, and no step is kept. So new states are marked at
 * once, and the mark is taken back if the state turns out to be open.
 *
 * A mark also has the *level* of its state: the number of decisions by which the state was reached
 * first. If each step leads to a higher level, there is no cycle, and every state leads to an end.
 * So only levels are tracked at first. As soon as a step leads to the same level or a lower one,
 * the search begins again with all that is described here (LACKS_CYCLES).
 *
 * If an entry of the set was lost, or there were too many steps to keep, the answer is not known.
 * Then `unknown` is true. */
#ifndef STRATEGIES_STRATA_ENDS_H
#define STRATEGIES_STRATA_ENDS_H

#include "base/visited.h"

enum { MARK_ENDS = 1, LEVEL_MAX = (1 << (VISITED_NOTE_BITS - 1)) - 1 };

/* A state that the execution under way has passed. */
struct passed {
    struct fingerprint state;
    bool new;  /* this execution was the first to come to the state */
    bool ends; /* an option of the state that was not taken leads to an end */
};

struct passed_step {
    struct fingerprint from, to;
};

struct ends {
    struct pool *pool;       /* borrowed */
    struct visited *visited; /* borrowed */
    bool tracked;            /* marks and steps are kept; otherwise only levels are */
    /* states are marked when an execution ends, because the same state may come more than once in
     * it */
    bool late;
    struct passed *path;
    uint32_t path_count, path_capacity;
    bool has_old; /* the path has a state that is not new */
    struct passed_step *steps;
    uint32_t step_count, step_capacity, step_limit;
    uint32_t settle_at; /* number of kept steps at which marks go back once */
    uint64_t open;      /* number of states without the mark */
    bool unknown;
};

void ends_init(struct ends *ends, struct pool *pool, struct visited *visited, uint64_t bytes);

/* Returns the mark of a new state. */
uint32_t ends_mark(const struct ends *ends, uint32_t level);

static inline uint32_t ends_level(uint32_t mark) {
    return mark >> 1;
}

/* Begins an execution. Whenever twice as many steps are kept as the last time, marks go back over
 * them: most of the steps are of no use any more then. */
void ends_begin(struct ends *ends);

/* Notes that the execution has come to this state. */
void ends_pass(struct ends *ends, const struct fingerprint *state, bool new);

/* An option of the last state of the path is not taken, because it leads to a state from which an
 * end can be reached. */
void ends_note(struct ends *ends);

/* The execution has come to a state with this mark, from a state of that level. Returns true if an
 * end is known to be reachable from the state. */
bool ends_known(const struct ends *ends, const struct fingerprint *state, uint32_t mark,
                uint32_t level);

/* Ends an execution. `ended` says that an end can be reached from its last state. Otherwise it came
 * to the known state `to`, or was put aside (NULL). */
void ends_finish(struct ends *ends, bool ended, const struct fingerprint *to);

/* Ends the search: the states that are open now stay open. */
void ends_settle(struct ends *ends);

/* Returns how much memory the kept steps take. */
static inline uint64_t ends_bytes(const struct ends *ends) {
    return ends->step_capacity * sizeof *ends->steps;
}

#endif
