/* edits.c - see edits.h. */
#include "strategies/minimise/edits.h"

#include "event/op.h"
#include "strategies/follow.h"

enum edit_kind {
    EDIT_LEAVE,      /* the task stops before this block */
    EDIT_RUN_ON,     /* the task's later steps come right behind this block */
    EDIT_RUN_FAR,    /* the same, and then whatever more the task can do */
    EDIT_JOIN_HERE,  /* the task's next block comes right behind this one */
    EDIT_JOIN_LATER, /* this block comes right before the task's next one */
    EDIT_HALVE,      /* the second half of this block is left out */
    EDIT_TRIM,       /* the last step of this block is left out */
    EDIT_KINDS
};

/* Decisions `first` to end - 1, all of one task. */
struct block {
    uint32_t first, end, task;
};

void wishes_init(struct wishes *wishes, struct pool *pool) {
    *wishes = (struct wishes){.pool = pool};
}

static void wish(struct wishes *wishes, struct decision decision) {
    wishes->list = pool_grow(wishes->pool, wishes->list, &wishes->capacity,
                             (size_t)wishes->count + 1, sizeof *wishes->list);
    wishes->list[wishes->count++] = decision;
}

/* Which decisions are meant: those of a task, those of all others, or all (then the task is
 * NO_TASK). */
enum whose { OF_ALL, OF_TASK, OF_OTHERS };
static void wish_part(struct wishes *wishes, const struct execution *execution,
                      const struct way *way, uint32_t from, uint32_t to, enum whose whose,
                      uint32_t task) {
    for (uint32_t i = from; i < to; i++) {
        bool own = way->marks[i].task == task;
        if (whose == OF_ALL || own == (whose == OF_TASK))
            wish(wishes, execution->decisions[i]);
    }
}

void edit_run_on(const struct execution *execution, const struct way *way, uint32_t until,
                 uint32_t task, struct wishes *wishes) {
    wishes->count = 0;
    wish_part(wishes, execution, way, 0, until, OF_ALL, NO_TASK);
    wish_part(wishes, execution, way, until, way->count, OF_TASK, task);
    wish(wishes, (struct decision){.chosen = task, .count = FOLLOW_ON, .tag = CHOICE_SCHEDULE});
    wish_part(wishes, execution, way, until, way->count, OF_OTHERS, task);
}

/* --- blocks --- */

static struct block block_from(const struct way *way, uint32_t first) {
    struct block block = {first, first + 1, way->marks[first].task};
    while (block.end < way->count && way->marks[block.end].task == block.task)
        block.end++;
    return block;
}

/* Finds the block of that number. Returns false if there are fewer blocks. */
static bool find_block(const struct way *way, uint32_t number, struct block *block) {
    uint32_t at = 0;
    for (uint32_t i = 0; at < way->count; i++) {
        *block = block_from(way, at);
        if (i == number)
            return true;
        at = block->end;
    }
    return false;
}

static uint32_t count_blocks(const struct way *way) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < way->count; count++)
        at = block_from(way, at).end;
    return count;
}

/* Finds the next block of the same task. */
static bool find_next(const struct way *way, const struct block *block, struct block *next) {
    for (uint32_t at = block->end; at < way->count; at = next->end) {
        *next = block_from(way, at);
        if (next->task == block->task)
            return true;
    }
    return false;
}

/* Returns where the last `count` steps of a block begin; the first decision of the block if it has
 * no more steps. */
static uint32_t last_steps(const struct way *way, const struct block *block, uint32_t count) {
    uint32_t at = block->end;
    while (at > block->first && count > 0)
        count -= way->marks[--at].tag == CHOICE_SCHEDULE;
    return at;
}

static uint32_t count_steps(const struct way *way, const struct block *block) {
    uint32_t count = 0;
    for (uint32_t i = block->first; i < block->end; i++)
        count += way->marks[i].tag == CHOICE_SCHEDULE;
    return count;
}

/* --- one change --- */

struct editing {
    const struct execution *execution;
    const struct way *way;
    struct wishes *wishes;
};

static void part(const struct editing *on, uint32_t from, uint32_t to) {
    wish_part(on->wishes, on->execution, on->way, from, to, OF_ALL, NO_TASK);
}

static bool leave_out(const struct editing *on, uint32_t first, uint32_t end) {
    part(on, 0, first);
    part(on, end, on->way->count);
    return first < end;
}

static bool leave(const struct editing *on, const struct block *block) {
    part(on, 0, block->first);
    wish_part(on->wishes, on->execution, on->way, block->first, on->way->count, OF_OTHERS,
              block->task);
    return true;
}

static bool run_on(const struct editing *on, const struct block *block) {
    struct block next;
    part(on, 0, block->end);
    wish_part(on->wishes, on->execution, on->way, block->end, on->way->count, OF_TASK, block->task);
    wish_part(on->wishes, on->execution, on->way, block->end, on->way->count, OF_OTHERS,
              block->task);
    return find_next(on->way, block, &next);
}

static bool run_far(const struct editing *on, const struct block *block) {
    edit_run_on(on->execution, on->way, block->end, block->task, on->wishes);
    return block->end < on->way->count;
}

static bool join(const struct editing *on, const struct block *block, bool here) {
    struct block next;
    if (!find_next(on->way, block, &next))
        return false;
    part(on, 0, here ? block->end : block->first);
    if (here)
        part(on, next.first, next.end);
    part(on, block->end, next.first);
    if (!here)
        part(on, block->first, block->end);
    part(on, here ? next.end : next.first, on->way->count);
    return true;
}

static bool shorten(const struct editing *on, const struct block *block, bool half) {
    uint32_t steps = count_steps(on->way, block);
    if (steps < 2 || (half && steps < 4))
        return false;
    return leave_out(on, last_steps(on->way, block, half ? steps / 2 : 1), block->end);
}

/* Returns false if a change of this kind would do nothing here. */
static bool change(enum edit_kind kind, const struct editing *on, const struct block *block) {
    on->wishes->count = 0;
    switch (kind) {
    case EDIT_LEAVE: return leave(on, block);
    case EDIT_RUN_ON: return run_on(on, block);
    case EDIT_RUN_FAR: return run_far(on, block);
    case EDIT_JOIN_HERE: return join(on, block, true);
    case EDIT_JOIN_LATER: return join(on, block, false);
    case EDIT_HALVE: return shorten(on, block, true);
    case EDIT_TRIM: return shorten(on, block, false);
    case EDIT_KINDS: break;
    }
    return false;
}

/* --- all of them, in order --- */

void edits_begin(struct edits *edits) {
    *edits = (struct edits){.stretch = UINT32_MAX};
}

/* Leaves out the blocks from edits->block on, as many as the stretch is long. */
static bool next_stretch(struct edits *edits, const struct editing *on) {
    uint32_t blocks = count_blocks(on->way);
    if (edits->stretch > blocks / 2)
        edits->stretch = blocks / 2;
    for (; edits->stretch > 0; edits->stretch /= 2, edits->block = 0) {
        struct block first, last;
        if (edits->block + edits->stretch > blocks)
            continue;
        find_block(on->way, edits->block, &first);
        find_block(on->way, edits->block + edits->stretch - 1, &last);
        edits->block += edits->stretch;
        on->wishes->count = 0;
        return leave_out(on, first.first, last.end);
    }
    edits->block = 0;
    return false;
}

/* Goes on to the next kind of change, then to the next block, then to the next round. */
static bool next_change(struct edits *edits, const struct editing *on) {
    struct block block;
    for (;;) {
        if (find_block(on->way, edits->block, &block)) {
            if (edits->kind < EDIT_KINDS) {
                if (change(edits->kind++, on, &block))
                    return true;
            } else {
                edits->kind = 0;
                edits->block++;
            }
        } else if (edits->better) {
            edits->better = false;
            edits->block = edits->kind = 0;
        } else {
            return false;
        }
    }
}

bool edits_next(struct edits *edits, const struct execution *execution, const struct way *way,
                struct wishes *wishes) {
    const struct editing on = {execution, way, wishes};
    return (edits->stretch > 0 && next_stretch(edits, &on)) || next_change(edits, &on);
}

void edits_accept(struct edits *edits) {
    edits->better = true;
    edits->kind = 0;
    if (edits->stretch > 0) /* the block with this index was further behind before */
        edits->block -= edits->stretch;
}
