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

static void add_pending(struct waitings *waitings, uint32_t state, const struct waiting *before,
                        const struct pending *pending, bool enabled) {
    struct waiting entry = {.op = *pending->op,
                            .task = pending->task,
                            .since = state,
                            .enabler = NO_STEP,
                            .look = pending->look,
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
    struct waiting end = {.task = task, .since = state, .enabler = NO_STEP, .gone = true};
    if (lives(waitings, waitings->latest[task]) && !is_pending(choice, task))
        add(waitings, &end);
}

/* If a step changes the operation of another task, it becomes one of another kind. The task that
 * has ended is mostly the mover, so this one is tried first. */
void waitings_add(struct waitings *waitings, uint32_t state, uint32_t mover,
                  const struct choice *choice) {
    for (uint32_t i = 0; i < choice->live; i++) {
        const struct pending *pending = &choice->pending[i];
        const struct waiting *before = standing(waitings, pending->task, mover);
        bool enabled = i < choice->count;
        if (before == NULL || before->enabled != enabled || before->op.kind != pending->op->kind)
            add_pending(waitings, state, before, pending, enabled);
    }
    if (waitings->live != choice->live && mover != NO_TASK)
        add_end(waitings, state, choice, mover);
    for (uint32_t task = 0; waitings->live != choice->live && task < waitings->task_capacity;
         task++)
        add_end(waitings, state, choice, task);
}

void waitings_cut(struct waitings *waitings, uint32_t state) {
    while (waitings->count > 0 && waitings->entries[waitings->count - 1].since > state) {
        const struct waiting *entry = &waitings->entries[waitings->count - 1];
        uint32_t *latest = &waitings->latest[entry->task];
        waitings->live -= lives(waitings, *latest);
        *latest = entry->previous;
        waitings->live += lives(waitings, *latest);
        waitings->count--;
    }
}
