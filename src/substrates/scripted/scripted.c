/* scripted.c - the toy as a struct system: the places of tasks, and the instructions between two
 * operations. The operations are in operations.c, their effects in effects.c. */
#include "substrates/scripted/scripted.h"

#include <string.h>

#include "base/check.h"
#include "base/fingerprint.h"
#include "base/image.h"
#include "event/event.h"
#include "execution/finding.h"
#include "substrates/scripted/operations.h"

static struct scripted *scripted_of(struct system *base) {
    return (struct scripted *)base;
}

/* --- what runs between operations ----------------------------------------------------------- */

static void failed(struct scripted *system, uint32_t task, enum outcome outcome) {
    struct finding finding = {.kind = FINDING_ASSERTION, .task = task, .stack_count = 1};
    uint64_t pc = script_pc(system, task);
    finding.stacks[0] = (struct finding_stack){.title = "assertion", .task = task, .pc = pc};
    strcpy(finding.text, "assertion failed");
    system->state.outcome = outcome;
    system->state.tasks[task].status = TASK_OVER;
    if (outcome != OUTCOME_FAILED)
        return;
    system->failure = pc;
    system->host->ops->found(system->host, &finding);
}

static void plain_access(struct scripted *system, uint32_t task,
                         const struct script_instruction *now) {
    bool write = now->code == SCRIPT_WRITE;
    uint32_t size = now->size ? now->size : 8;
    system->host->ops->access(system->host, task, script_address(now), size,
                              write ? PLAIN_WRITE : PLAIN_READ, script_pc(system, task));
    if (write)
        script_store(&system->state, now, (uint64_t)now->value);
    else
        script_got(system, task, script_load(&system->state, now));
}

static void section_end(struct scripted *system, uint32_t task) {
    struct op op = {.kind = OP_ATOMIC, .section_ends = 1, .pc = script_pc(system, task)};
    struct event *event = system->host->ops->event(system->host, task, &op);
    event->flags = EVENT_NESTED;
    system->state.tasks[task].in_section = false;
    system->host->ops->happened(system->host, event);
}

/* The task stands before an assumption that does not hold, for good. If it is in an atomic section,
 * no other task can go on either. */
static void stop(struct scripted *system, uint32_t task) {
    struct script_task_state *state = &system->state.tasks[task];
    if (state->in_section)
        failed(system, task, OUTCOME_DROPPED);
    else
        state->phase = PHASE_STOPPED;
}

/* The task fails now, or when it is chosen. In an atomic section it fails now, because no other
 * task can go on. */
static void fail(struct scripted *system, uint32_t task) {
    struct script_task_state *state = &system->state.tasks[task];
    if (system->script->failures_wait && !state->in_section)
        state->phase = PHASE_FAILED;
    else
        failed(system, task, OUTCOME_FAILED);
}

static void run_invisible(struct scripted *system, uint32_t task,
                          const struct script_instruction *now) {
    struct script_task_state *state = &system->state.tasks[task];
    bool equal = state->value == (uint64_t)now->value;
    switch ((enum script_code)now->code) {
    case SCRIPT_READ:
    case SCRIPT_WRITE: plain_access(system, task, now); break;
    case SCRIPT_SKIP_IF: state->at += equal ? (uint32_t)now->value2 : 0; break;
    case SCRIPT_SECTION_END: section_end(system, task); break;
    case SCRIPT_ASSERT_NOT:
        if (!equal)
            break;
        fail(system, task);
        return;
    case SCRIPT_ASSUME_NOT:
        if (!equal)
            break;
        stop(system, task);
        return;
    case SCRIPT_AWAIT:
    case SCRIPT_UNTIL:
    case SCRIPT_CODES: CHECK(!"not an operation");
    }
    state->at++;
}

static bool stands_for_good(const struct script_task_state *state) {
    return state->phase == PHASE_STOPPED || state->phase == PHASE_FAILED;
}

/* Runs up to the next operation, or to the end. Operations inside an atomic section belong to its
 * step. */
static void run_on(struct scripted *system, uint32_t task) {
    struct script_task_state *state = &system->state.tasks[task];
    uint32_t length = system->script->tasks[task].length;
    while (state->at < length && state->status == TASK_LIVE && !stands_for_good(state) &&
           system->state.outcome == OUTCOME_RUNNING) {
        const struct script_instruction *now = instruction_at(system, task);
        if (!is_visible(now))
            run_invisible(system, task, now);
        else if (state->in_section)
            operation_perform(system, task, EVENT_NESTED);
        else
            break;
    }
    if (state->at >= length)
        state->status = TASK_OVER;
}

/* Tasks that were created in the step run up to their first operation. */
static void settle(struct scripted *system, uint32_t absent_before) {
    for (uint32_t task = 0; task < system->script->task_count; task++)
        if ((absent_before >> task & 1) && system->state.tasks[task].status == TASK_LIVE)
            run_on(system, task);
    scripted_restored(system);
}

/* One bit for each task that does not exist yet; tasks that the script does not have never do. */
static uint32_t absent_tasks(const struct scripted *system) {
    uint32_t bits = 0;
    for (uint32_t task = 0; task < SCRIPT_TASKS; task++)
        bits |= (uint32_t)(system->state.tasks[task].status == TASK_ABSENT) << task;
    return bits;
}

/* --- struct system -------------------------------------------------------------------------- */

/* All tasks come into being by create events, also those that are there from the start: as if the
 * first task had created them at the beginning. */
static void bring_to_life(struct scripted *system, uint32_t task) {
    struct op op = {.kind = OP_CREATE, .target = task, .pc = 0x400000};
    system->state.tasks[task].status = TASK_LIVE;
    if (task == 0)
        return;
    struct event *event = system->host->ops->event(system->host, 0, &op);
    event->child = task;
    system->host->ops->happened(system->host, event);
}

static void start(struct system *base, struct host *host) {
    struct scripted *system = scripted_of(base);
    const struct script *script = system->script;
    memset(&system->state, 0, sizeof system->state);
    system->host = host;
    system->moved = NO_TASK;
    system->failure = 0;
    for (uint32_t i = 0; i < SCRIPT_OBJECTS; i++)
        system->state.semaphores[i] = script->semaphores[i];
    for (uint32_t task = 0; task < script->task_count; task++)
        if (script->started >> task & 1)
            bring_to_life(system, task);
    settle(system, script->started);
}

static bool is_parked(const struct scripted *system, uint32_t task) {
    return system->state.tasks[task].phase == PHASE_PARKED;
}

static bool save(struct system *base, struct image *image) {
    struct scripted *system = scripted_of(base);
    image_write(image, &system->state, sizeof system->state);
    image_write_number(image, system->moved);
    return !image->full;
}

static void load(struct system *base, struct host *host, struct image *image) {
    struct scripted *system = scripted_of(base);
    image_read(image, &system->state, sizeof system->state);
    system->moved = (uint32_t)image_read_number(image);
    system->host = host;
    system->failure = 0;
    scripted_restored(system);
}

static bool fingerprint(struct system *base, struct fingerprint *out) {
    const struct scripted *system = scripted_of(base);
    *out = (struct fingerprint){0};
    fingerprint_add(out, &system->state, sizeof system->state);
    return true;
}

static void pending(struct system *base, struct choice *choice) {
    struct scripted *system = scripted_of(base);
    uint32_t enabled = 0, live = 0;
    for (int pass = 1; pass >= 0; pass--) {
        for (uint32_t task = 0; task < system->script->task_count; task++)
            if (system->state.tasks[task].status == TASK_LIVE &&
                operation_enabled(system, task) == pass)
                system->pending[live++] = (struct pending){.task = task,
                                                           .idle = !pass && is_parked(system, task),
                                                           .op = &system->ops[task]};
        if (pass)
            enabled = live;
    }
    *choice = (struct choice){.tag = CHOICE_SCHEDULE,
                              .count = enabled,
                              .task = system->moved,
                              .live = live,
                              .pending = system->pending};
}

void scripted_step(struct scripted *system, uint32_t task) {
    uint32_t absent = absent_tasks(system);
    CHECK(scripted_enabled(system, task));
    system->moved = task;
    if (system->state.tasks[task].phase == PHASE_FAILED) {
        failed(system, task, OUTCOME_FAILED);
        return;
    }
    operation_perform(system, task, 0);
    run_on(system, task);
    settle(system, absent);
}

static void run(struct system *base, uint32_t task) {
    struct scripted *system = scripted_of(base);
    for (; task != NO_TASK; task = system->host->ops->next(system->host, NULL))
        scripted_step(system, task);
}

/* The engine itself finds out whether live tasks are stuck. */
static enum outcome outcome(struct system *base) {
    struct scripted *system = scripted_of(base);
    if (system->state.outcome != OUTCOME_RUNNING)
        return system->state.outcome;
    for (uint32_t task = 0; task < system->script->task_count; task++)
        if (system->state.tasks[task].status == TASK_LIVE)
            return OUTCOME_RUNNING;
    return OUTCOME_ENDED;
}

static uint32_t holder(struct system *base, uint32_t task, uint32_t nth) {
    return operation_holder(scripted_of(base), task, nth);
}

static uint32_t stack(struct system *base, uint32_t task, uint64_t pc, uint64_t *pcs,
                      uint32_t max) {
    uint64_t frames[] = {pc, 0x400000 + task};
    (void)base;
    uint32_t count = max < 2 ? max : 2;
    memcpy(pcs, frames, count * sizeof *frames);
    return count;
}

static const struct system_ops scripted_ops = {
    .name = "scripted",
    .start = start,
    .save = save,
    .load = load,
    .fingerprint = fingerprint,
    .pending = pending,
    .run = run,
    .outcome = outcome,
    .holder = holder,
    .stack = stack,
};

bool script_sees_ends(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++) {
            const struct script_instruction *now = &script->tasks[task].code[i];
            if (now->code == OP_TRYJOIN || now->code == OP_KILL ||
                (now->code == OP_JOIN && now->timed))
                return true;
        }
    return false;
}

void scripted_init(struct scripted *system, const struct script *script) {
    memset(system, 0, sizeof *system);
    CHECK(script->task_count <= SCRIPT_TASKS);
    for (uint32_t task = 0; script_sees_ends(script) && task < script->task_count; task++)
        CHECK(script_ends_by_step(&script->tasks[task]));
    system->base.ops = &scripted_ops;
    system->script = script;
}

void scripted_restored(struct scripted *system) {
    for (uint32_t task = 0; task < system->script->task_count; task++)
        if (system->state.tasks[task].status == TASK_LIVE)
            system->ops[task] = operation_of(system, task);
}

uint64_t scripted_fingerprint(const struct scripted *system) {
    struct script_state state = system->state;
    const unsigned char *bytes = (const unsigned char *)&state;
    for (uint32_t task = 0; task < SCRIPT_TASKS; task++)
        if (is_parked(system, task)) {
            state.tasks[task].phase = PHASE_FIRST;
            state.tasks[task].seen = 0;
        }
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a; the state has no padding that is ever written */
    for (size_t i = 0; i < sizeof state; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

bool scripted_enabled(const struct scripted *system, uint32_t task) {
    return system->state.tasks[task].status == TASK_LIVE && operation_enabled(system, task);
}
