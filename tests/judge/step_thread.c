/* step_thread.c - the life of threads: creation, joins, cancellation and the end; also choices.
 *
 * Cancellation is deferred. While cancellation is enabled, a request acts at the next cancellation
 * point, or at once if the task waits in one. The end of a task is a step of its own after its last
 * operation. A tryjoin or timed join before this step finds the task still there. */
#include <errno.h>
#include <string.h>

#include "observe.h"
#include "state.h"

bool state_is_cancelled(const struct state *state, int task) {
    return state->tasks[task].pending && !state->tasks[task].cancel_off;
}

void state_unwind(struct state *state, int task) {
    struct task *self = &state->tasks[task];
    self->phase = UNWINDING;
    self->rounds = 0;
    self->cancelled =
        self->pending; /* a task that calls pthread_exit has cleared `pending` before */
    self->pending = 0;
}

static void create(const struct program *program, struct state *state, int task, int child) {
    state->tasks[child].status = LIVE;
    state->tasks[child].detached = program->detached[child];
    order_create(state, task, child);
    state_next(state, task);
}

static bool join_task(struct state *state, int task, const struct instruction *at, int way) {
    struct task *child = &state->tasks[at->object];
    if (way == 0 && at->kind != DO_TRYJOIN && state_is_cancelled(state, task)) {
        state_unwind(state, task);
        return true;
    }
    if (child->status == ENDED) {
        if (way != 0)
            return false;
        child->status = GONE;
        child->joined = 1;
        order_join(state, task, at->object);
        state_see(state, task, child->cancelled);
        state_see(state, task, 0);
    } else if (at->kind == DO_TRYJOIN && way == 0) {
        state_see(state, task, EBUSY);
    } else if (at->kind == DO_TIMEDJOIN && way == 1) {
        state_see(state, task, ETIMEDOUT);
    } else {
        return false;
    }
    state_next(state, task);
    return true;
}

static void detach(struct state *state, int task, int child) {
    state->tasks[child].detached = 1;
    if (state->tasks[child].status == ENDED)
        state->tasks[child].status = GONE;
    state_next(state, task);
}

static bool any_live(const struct state *state) {
    for (int i = 0; i < TASKS_MAX; i++)
        if (state->tasks[i].status == LIVE)
            return true;
    return false;
}

/* True if main has joined the task, or has joined the task that did so. */
static bool is_known(const struct program *program, const struct state *state, int task) {
    int parent = program->parent[task];
    return state->tasks[task].joined && (parent == 0 || state->tasks[parent].joined);
}

/* The exit handler loads each cell as a whole. */
static void load_cells(struct state *state, int task) {
    for (int i = 0; i < CELLS; i++) {
        const struct instruction whole = {.object = (uint8_t)i, .size = CELL_BYTES};
        order_atomic_access(state, task, &whole, true, false);
        order_atomic(state, task, i, SEQ_CST, true, false);
    }
}

/* Records the outcome when `task` runs the exit handler, as prelude.h does. `by` is the task that
 * called exit (main if it has returned), or -1 if the last thread has ended after main's
 * pthread_exit. */
static void record(const struct program *program, struct state *state, int task, int by) {
    uint64_t log = JUDGE_FOLD(1u, by >= 0 ? by : 100 + task);
    bool all = true;
    load_cells(state, task);
    if (state->end == RACY)
        return;
    for (int i = 0; i < CELLS; i++)
        for (int byte = 0; byte < CELL_BYTES; byte++)
            log = JUDGE_FOLD(log, state->cells[i][byte]);
    log = JUDGE_FOLD(log, state->flag);
    for (int i = 0; i < program->tasks; i++)
        log = JUDGE_FOLD(log, state->published[i]);
    if (by >= 0)
        log = JUDGE_FOLD(log, state->tasks[by].log);
    for (int i = 1; by == 0 && i < program->tasks; i++) {
        all &= is_known(program, state, i);
        if (is_known(program, state, i))
            log = JUDGE_FOLD(log, state->tasks[i].log);
    }
    for (int i = 0; by == 0 && all && i < DATA; i++)
        for (int byte = 0; byte < DATA_BYTES; byte++)
            log = JUDGE_FOLD(log, state->data[i][byte]);
    state->outcome = JUDGE_OUTCOME(log);
    state->end = OVER;
}

static void end_task(const struct program *program, struct state *state, int task) {
    struct task *self = &state->tasks[task];
    self->status = self->detached || task == 0 ? GONE : ENDED;
    if (!any_live(state))
        record(program, state, task, -1);
}

/* Takes a step of a handler. It adds 1 to a byte, then unlocks its mutex if it has one. */
static void run_handler(struct state *state, int task) {
    struct task *self = &state->tasks[task];
    int mutex = self->cleanup[self->cleanups - 1];
    if (self->rounds == 0)
        state->cells[1][7]++;
    else
        state_release_mutex(state, task, mutex);
    if (self->rounds++ == 0 && mutex != NO_MUTEX)
        return;
    self->cleanup[--self->cleanups] = 0;
    self->rounds = 0;
    if (self->phase == IN_HANDLER)
        state_next(state, task);
}

/* Steps that belong to no instruction. */
static bool step_phase(const struct program *program, struct state *state, int task) {
    struct task *self = &state->tasks[task];
    switch ((enum phase)self->phase) {
    case EXITING: record(program, state, task, task); return true;
    case UNWINDING:
        if (self->cleanups > 0)
            run_handler(state, task);
        if (self->cleanups == 0)
            self->phase = ENDING;
        return true;
    case FAILING: state_fail(state, &program->code[task][self->pc]); return true;
    case IN_HANDLER: run_handler(state, task); return true;
    case ENDING:
        if (self->keyed)
            state->cells[1][5]++; /* the destructor does this */
        else
            end_task(program, state, task);
        self->keyed = 0;
        return true;
    default: return false;
    }
}

/* Takes the oldest message, or the oldest odd one. */
static bool receive(struct state *state, int task, const struct instruction *at) {
    int found = 0;
    while (found < state->messages && at->kind == DO_RECEIVE_ODD && !(state->mailbox[found] & 1))
        found++;
    if (found == state->messages && at->kind != DO_TRY_RECEIVE)
        return false;
    state_see(state, task, found < state->messages ? state->mailbox[found] : 0);
    if (found < state->messages) {
        state->messages--;
        memmove(state->mailbox + found, state->mailbox + found + 1,
                (size_t)(state->messages - found));
        state->mailbox[state->messages] = 0;
    }
    state_next(state, task);
    return true;
}

static bool choose(struct state *state, int task, const struct instruction *at, int way) {
    if (way >= at->count)
        return false;
    state_see(state, task, (uint64_t)way);
    state_next(state, task);
    return true;
}

bool step_thread(const struct program *program, struct state *state, int task, int way) {
    struct task *self = &state->tasks[task];
    const struct instruction *at = &program->code[task][self->pc];
    if (self->phase != BEFORE)
        return way == 0 && step_phase(program, state, task);
    if (at->kind == DO_CHOOSE)
        return choose(state, task, at, way);
    if (at->kind == DO_JOIN || at->kind == DO_TRYJOIN || at->kind == DO_TIMEDJOIN)
        return join_task(state, task, at, way);
    if (way != 0)
        return false;
    if (at->kind == DO_RECEIVE || at->kind == DO_TRY_RECEIVE || at->kind == DO_RECEIVE_ODD)
        return receive(state, task, at);
    bool point = at->kind == DO_TESTCANCEL || at->kind == DO_SLEEP;
    if (point && state_is_cancelled(state, task)) {
        state_unwind(state, task);
        return true;
    }
    switch ((enum kind)at->kind) {
    case DO_CREATE: create(program, state, task, at->object); return true;
    case DO_SEND: state->mailbox[state->messages++] = (uint8_t)at->value; break;
    case DO_DETACH: detach(state, task, at->object); return true;
    case DO_CANCEL:
        state->tasks[at->object].pending = state->tasks[at->object].status == LIVE;
        break;
    case DO_MAIN_EXIT:
    case DO_THREAD_EXIT:
        self->pending = 0;
        state_unwind(state, task);
        return true;
    case DO_KEY: self->keyed = 1; break;
    case DO_EXIT: self->phase = EXITING; return true;
    case DO_SECTION_BEGIN: state->section = (uint8_t)(task + 1); break;
    default: break; /* TESTCANCEL, SLEEP, YIELD */
    }
    state_next(state, task);
    return true;
}
