/* ends.c - see ends.h. */
#include "strategies/strata/ends.h"

enum { STEPS_FEW = 1024 }; /* with fewer kept steps, a pass over them is not worth the time */

void ends_init(struct ends *ends, struct pool *pool, struct visited *visited, uint64_t bytes) {
    uint64_t limit = bytes / sizeof *ends->steps;
    *ends = (struct ends){.pool = pool, .visited = visited};
    ends->step_limit = limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2;
}

uint32_t ends_mark(const struct ends *ends, uint32_t level) {
    return (level < LEVEL_MAX ? level : LEVEL_MAX) << 1 | (ends->late ? 0 : MARK_ENDS);
}

void ends_pass(struct ends *ends, const struct fingerprint *state, bool new) {
    if (!ends->tracked)
        return;
    ends->path = pool_grow(ends->pool, ends->path, &ends->path_capacity,
                           (size_t)ends->path_count + 1, sizeof *ends->path);
    ends->path[ends->path_count++] = (struct passed){.state = *state, .new = new};
    ends->has_old |= !new;
}

/* If nothing is open, the state at hand is not in the path: it has its mark then. */
void ends_note(struct ends *ends) {
    if (ends->path_count > 0)
        ends->path[ends->path_count - 1].ends = true;
}

/* A state of the execution under way is marked in advance, which proves nothing. No such state has
 * a higher level than the last state of the execution. */
bool ends_known(const struct ends *ends, const struct fingerprint *state, uint32_t mark,
                uint32_t level) {
    if (!ends->tracked)
        return true;
    if (!(mark & MARK_ENDS))
        return false;
    if (ends->late || (ends_level(mark) > level && ends_level(mark) < LEVEL_MAX))
        return true;
    for (uint32_t i = 0; i < ends->path_count; i++)
        if (ends->path[i].new &&fingerprint_equal(&ends->path[i].state, state))
            return false;
    return true;
}

static bool is_marked(const struct ends *ends, const struct fingerprint *state) {
    uint32_t mark = 0;
    return visited_read_note(ends->visited, state, &mark) && (mark & MARK_ENDS);
}

/* Returns false if the set does not have the state any more. */
static bool set_mark(struct ends *ends, const struct fingerprint *state, bool marked) {
    uint32_t mark = 0;
    if (!visited_read_note(ends->visited, state, &mark))
        return false;
    mark = marked ? mark | MARK_ENDS : mark & ~(uint32_t)MARK_ENDS;
    return visited_write_note(ends->visited, state, mark);
}

static void keep_step(struct ends *ends, const struct fingerprint *from,
                      const struct fingerprint *to) {
    if (ends->step_count == ends->step_limit) {
        ends->unknown = true;
        return;
    }
    ends->steps = pool_grow(ends->pool, ends->steps, &ends->step_capacity,
                            (size_t)ends->step_count + 1, sizeof *ends->steps);
    ends->steps[ends->step_count++] = (struct passed_step){*from, *to};
}

/* Notes that an end can be reached from this state. */
static void close_state(struct ends *ends, const struct passed *passed) {
    if (passed->new && !ends->late) /* a new state is marked already */
        return;
    bool open = !passed->new && !is_marked(ends, &passed->state);
    if (set_mark(ends, &passed->state, true))
        ends->open -= open && ends->open > 0;
}

/* Notes that no end is known to be reachable from this state. */
static void open_state(struct ends *ends, const struct passed *passed,
                       const struct fingerprint *to) {
    if (passed->new) {
        ends->unknown |= !set_mark(ends, &passed->state, false);
        ends->open++;
    }
    if (to != NULL)
        keep_step(ends, &passed->state, to);
}

void ends_finish(struct ends *ends, bool ended, const struct fingerprint *to) {
    bool known = ended;
    if (!ends->tracked)
        return;
    if (known && !ends->late && !ends->has_old)
        return;
    for (uint32_t i = ends->path_count; i > 0; i--) {
        const struct passed *passed = &ends->path[i - 1];
        known |= passed->ends || (!passed->new &&is_marked(ends, &passed->state));
        if (known)
            close_state(ends, passed);
        else
            open_state(ends, passed, to);
        to = &passed->state;
    }
}

/* Makes one pass from the last step to the first, because marks go back. Steps from marked states
 * are dropped. */
static bool close_steps(struct ends *ends) {
    uint32_t kept = ends->step_count;
    bool closed = false;
    for (uint32_t i = ends->step_count; i > 0; i--) {
        const struct passed_step step = ends->steps[i - 1];
        if (is_marked(ends, &step.from))
            continue;
        if (is_marked(ends, &step.to) && set_mark(ends, &step.from, true)) {
            ends->open -= ends->open > 0;
            closed = true;
        } else {
            ends->steps[--kept] = step;
        }
    }
    for (uint32_t i = kept; i < ends->step_count; i++)
        ends->steps[i - kept] = ends->steps[i];
    ends->step_count -= kept;
    return closed;
}

void ends_begin(struct ends *ends) {
    ends->path_count = 0;
    ends->has_old = false;
    if (ends->open == 0 || ends->step_count < ends->settle_at)
        return;
    close_steps(ends);
    ends->settle_at = 2 * ends->step_count + STEPS_FEW;
}

void ends_settle(struct ends *ends) {
    while (ends->open > 0 && close_steps(ends))
        ;
}
