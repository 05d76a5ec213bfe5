/* waiting.c - see waiting.h. */
#include "strategies/dpor/waiting.h"

void waitings_init(struct waitings *waitings, struct pool *pool) {
    *waitings = (struct waitings){.pool = pool};
}

static bool lives(const struct waitings *waitings, uint32_t entry) {
    return entry != 0 && !waitings->entries[entry - 1].gone;
}

static void add(struct waitings *waitings, const struct waiting *entry) {
    uint32_t *latest = &waitings->latest[entry->task];
    waitings->entries = pool_grow(waitings->pool, waitings->entries, &waitings->capacity,
                                  (size_t)waitings->count + 1, sizeof *waitings->entries);
    waitings->live -= lives(waitings, *latest);
    waitings->entries[waitings->count] = *entry;
    waitings->entries[waitings->count].previous = *latest;
    *latest = ++waitings->count;
    waitings->live += lives(waitings, *latest);
}

/* Returns where the task stood before; NULL if the task is the mover, or new. */
static inline const struct waiting *standing(const struct waitings *waitings, uint32_t task,
                                             uint32_t mover) {
    uint32_t latest = task < waitings->task_capacity ? waitings->latest[task] : 0;
    return task != mover && lives(waitings, latest) ? &waitings->entries[latest - 1] : NULL;
}

static uint32_t add_op(struct waitings *waitings, const struct op *op) {
    waitings->ops = pool_grow(waitings->pool, waitings->ops, &waitings->op_capacity,
                              (size_t)waitings->op_count + 1, sizeof *waitings->ops);
    waitings->ops[waitings->op_count] = *op;
    return waitings->op_count++;
}

/* `same` says that the operation is that of the entry before. */
static void add_pending(struct waitings *waitings, uint32_t state, const struct waiting *before,
                        bool same, const struct pending *pending, bool enabled) {
    struct waiting entry = {.task = pending->task,
                            .since = state,
                            .enabler = NO_STEP,
                            .look = pending->look,
                            .op = same ? before->op : add_op(waitings, pending->op),
                            .enabled = enabled};
    if (before != NULL)
        entry.enabler = before->enabled ? before->enabler : state - 1;
    waitings->latest = pool_grow(waitings->pool, waitings->latest, &waitings->task_capacity,
                                 (size_t)entry.task + 1, sizeof *waitings->latest);
    add(waitings, &entry);
}

static bool is_pending(const struct choice *choice, uint32_t task) {
    for (uint32_t i = 0; i < choice->live; i++)
        if (choice->pending[i].task == task)
            return true;
    return false;
}

static void add_end(struct waitings *waitings, uint32_t state, const struct choice *choice,
                    uint32_t task) {
    struct waiting end = {.task = task,
                          .since = state,
                          .enabler = NO_STEP,
                          .op = waitings->entries[waitings->latest[task] - 1].op,
                          .gone = true};
    if (lives(waitings, waitings->latest[task]) && !is_pending(choice, task))
        add(waitings, &end);
}

/* If a step changes the operation of another task, it becomes one of another kind. */
static inline void look_at(struct waitings *waitings, uint32_t state, uint32_t mover,
                           const struct choice *choice, uint32_t at) {
    const struct pending *pending = &choice->pending[at];
    const struct waiting *before = standing(waitings, pending->task, mover);
    bool enabled = at < choice->count;
    bool same = before != NULL && waiting_op(waitings, before)->kind == pending->op->kind;
    if (!same || before->enabled != enabled)
        add_pending(waitings, state, before, same, pending, enabled);
}

/* The task that has ended is mostly the mover, so this one is tried first. */
void waitings_add(struct waitings *waitings, uint32_t state, uint32_t mover,
                  const struct choice *choice) {
    struct changes changes = changes_of(waitings, choice);
    for (uint32_t i = 0; i < changes.count; i++)
        look_at(waitings, state, mover, choice, changed_at(&changes, i));
    if (waitings->live != choice->live && mover != NO_TASK)
        add_end(waitings, state, choice, mover);
    for (uint32_t task = 0; waitings->live != choice->live && task < waitings->task_capacity;
         task++)
        add_end(waitings, state, choice, task);
    waitings->number = choice->number;
}

void waitings_cut(struct waitings *waitings, uint32_t state) {
    while (waitings->count > 0 && waitings->entries[waitings->count - 1].since > state) {
        const struct waiting *entry = &waitings->entries[waitings->count - 1];
        uint32_t *latest = &waitings->latest[entry->task];
        waitings->live -= lives(waitings, *latest);
        *latest = entry->previous;
        waitings->live += lives(waitings, *latest);
        if (entry->previous == 0 || waitings->entries[entry->previous - 1].op != entry->op)
            waitings->op_count = entry->op;
        waitings->count--;
    }
}
