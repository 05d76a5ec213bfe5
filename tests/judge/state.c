/* state.c - the first state, and the step of a task, which depends on its phase and then on its
 * instruction. */
#include "state.h"

#include <string.h>

#include "observe.h"

void state_see(struct state *state, int task, uint64_t value) {
    struct task *self = &state->tasks[task];
    self->value = value;
    self->log = JUDGE_FOLD(self->log, value);
}

void state_next(struct state *state, int task) {
    struct task *self = &state->tasks[task];
    self->phase = BEFORE;
    self->rounds = 0;
    self->pc++;
}

void state_fail(struct state *state, const struct instruction *at) {
    state->end = FAILED;
    state->failure = at->count;
    state->outcome = JUDGE_FAILURE(at->count);
}

static void assume(struct state *state, struct task *self, const struct instruction *at) {
    if (self->value != at->value)
        self->pc++;
    else if (state->section != 0)
        state->end = DROPPED;
    else
        self->phase = ASSUMED;
}

/* A failure is an operation of its own, so other tasks may move before it. A section is one
 * operation, so a failure in a section happens at once. */
static void assertion(struct state *state, struct task *self, const struct instruction *at) {
    if (self->value != at->value)
        self->pc++;
    else if (state->section != 0)
        state_fail(state, at);
    else
        self->phase = FAILING;
}

static void pop(struct task *self, const struct instruction *at) {
    if (at->count) {
        self->phase = IN_HANDLER;
    } else {
        self->cleanup[--self->cleanups] = 0;
        self->pc++;
    }
}

/* Performs an instruction that is not an operation. It belongs to the operation before it. Returns
 * true if more such instructions may follow. */
static bool settle_once(const struct program *program, struct state *state, int task) {
    struct task *self = &state->tasks[task];
    const struct instruction *at = &program->code[task][self->pc];
    switch ((enum kind)at->kind) {
    case DO_IF_ZERO: self->pc += self->value == 0 ? 1 : at->count + 1; return true;
    case DO_IF_NONZERO: self->pc += self->value != 0 ? 1 : at->count + 1; return true;
    case DO_READ:
    case DO_WRITE:
        if (!program->plain_steps)
            state_access(state, task, at);
        return !program->plain_steps;
    case DO_ASSERT: assertion(state, self, at); return true;
    case DO_ASSUME: assume(state, self, at); return true;
    case DO_CANCEL_OFF:
    case DO_CANCEL_ON:
        self->cancel_off = at->kind == DO_CANCEL_OFF;
        self->pc++;
        return true;
    case DO_CLEANUP_PUSH:
        self->cleanup[self->cleanups++] = at->count;
        self->pc++;
        return true;
    case DO_CLEANUP_POP: pop(self, at); return true;
    case DO_SECTION_END:
        state->section = 0;
        self->pc++;
        return true;
    default: return false;
    }
}

static void settle(const struct program *program, struct state *state, int task) {
    struct task *self = &state->tasks[task];
    while (state->end == NOT_OVER && self->status == LIVE && self->phase == BEFORE) {
        if (self->pc == program->length[task])
            self->phase = task == 0 ? EXITING : ENDING;
        else if (!settle_once(program, state, task))
            return;
    }
}

static bool step_instruction(const struct program *program, struct state *state, int task,
                             int way) {
    const struct task *self = &state->tasks[task];
    const struct instruction *at = &program->code[task][self->pc];
    if (self->phase == ASSUMED)
        return false;
    if (self->phase >= IN_HANDLER)
        return step_thread(program, state, task, way);
    if (at->kind <= DO_VOLATILE_WRITE || (at->kind >= DO_FUTEX_WAIT && at->kind <= DO_FUTEX_WAKE) ||
        at->kind == DO_PUBLISH)
        return step_memory(program, state, task, way);
    if (at->kind <= DO_SPIN_UNLOCK)
        return step_lock(state, task, at, way);
    if (at->kind <= DO_ONCE)
        return step_wait(program, state, task, way);
    return step_thread(program, state, task, way);
}

bool state_step(const struct program *program, struct state *state, int task, int way) {
    if (state->tasks[task].status != LIVE || (state->section != 0 && state->section != task + 1))
        return false;
    order_tick(state, task);
    if (!step_instruction(program, state, task, way))
        return false;
    for (int i = 0; i < program->tasks; i++)
        settle(program, state, i);
    if (!program->races)
        memset(&state->order, 0, sizeof state->order);
    return true;
}

void state_begin(const struct program *program, struct state *state) {
    memset(state, 0, sizeof *state);
    memcpy(state->semaphores, program->semaphore_value, sizeof state->semaphores);
    state->tasks[0].status = LIVE;
    settle(program, state, 0);
}
