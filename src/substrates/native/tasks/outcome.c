/* outcome.c - how an execution ends before its time: findings, and calls that cannot be
 * controlled.
 *
 * Plain code belongs to the step of the operation before it. So if plain code fails, no other task
 * has moved between that operation and the failure. If another task was ready to move there, the
 * failure is early (finding.early): the schedules in which the other task moves first are not
 * explored. So the search is not complete, and the report does not claim that every schedule fails.
 *
 * With --keep-going the search goes on after a failure. There an early failure becomes an operation
 * of its own where possible (OP_FAIL), and the other tasks move before it, in all orders. */
#include "substrates/native/tasks/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "engine/session.h"
#include "execution/finding.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/native.h"
#include "substrates/native/program/process.h"
#include "substrates/native/runtime.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/begin_again.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/stack.h"
#include "substrates/native/tasks/trial.h"

enum { STACK_MAX = 64 };

/* The first call of this execution whose effect cannot be put back, or NULL. */
static const char *first_lasting_call;

const char *made_lasting_call(void) {
    return first_lasting_call;
}

void forget_lasting_calls(void) {
    first_lasting_call = NULL;
}

_Noreturn void end_execution(enum outcome outcome) {
    progress.outcome = outcome;
    fiber_abandon();
}

_Noreturn void begin_search_again(enum lacking lacks) {
    rt.session->result.search.lacks = lacks;
    end_execution(OUTCOME_ERROR);
}

void finding_place(struct finding *finding, struct task *task, uint64_t pc, const char *title) {
    struct finding_stack *place = &finding->stacks[finding->stack_count++];
    uint64_t pcs[STACK_MAX];
    snprintf(place->title, sizeof place->title, "%s", title);
    place->task = task->id;
    place->pc = pc;
    place->stack = 0;
    if (rt.host->evidence) {
        uint32_t count = task_stack(task, pc, pcs, STACK_MAX);
        place->stack = execution_add_stack(rt.session->live.current, pcs, count);
    }
}

/* Returns true if another task could have moved between the last operation of this task, or its
 * start, and the finding. A finding of an operation under way comes right after the choice of the
 * task. No other task moves within an atomic section or within an action of a machine. An exit is
 * an operation of its own, so before it the other tasks were given the chance to move. */
static bool others_could_move(const struct task *task, const struct finding *finding) {
    if (finding->kind == FINDING_EXIT || operation_under_way() || task->section.depth > 0 ||
        task->machine != NULL)
        return false;
    for (uint32_t i = 0; i < live_tasks.count; i++)
        if (live_tasks.ids[i] != task->id && task_ready(live_task(i)))
            return true;
    return false;
}

/* Turns the failure into an operation before which the task stands. native_fail() reports the
 * finding when the task is chosen. Until then the other tasks move: their steps may contain more
 * findings, and may race with what this task did since its last operation. */
static _Noreturn void stand_before_failure(struct task *task, const struct finding *finding) {
    struct finding *kept = scratch_room(sizeof *kept);
    *kept = *finding;
    kept->early = false;
    task->failure = kept;
    task->op = (struct op){.kind = OP_FAIL, .value = finding->kind, .pc = finding->stacks[0].pc};
    task->wait = NULL;
    task->object = NULL;
    fiber_stop(task);
}

void native_fail(const struct task *task) {
    progress.outcome = OUTCOME_FAILED;
    rt.host->ops->found(rt.host, task->failure);
}

/* Returns true if other tasks may move after the fault, before it is reported. Not after
 * --step-timeout: it interrupts the task at a different place each time, so other tasks would see a
 * different state each time. And not if a library was interrupted, because it may hold locks of its
 * own, for which the other tasks would wait. */
static bool may_stand(const struct finding *finding) {
    return finding->kind != FINDING_DIVERGENCE && !stack_interrupted_in_library();
}

_Noreturn void found_with(struct finding *finding) {
    struct task *task = task_at(finding->task);
    if (trial_on)
        trial_leaves();
    machine_postpone(finding);
    process_flush();
    finding->early = others_could_move(task, finding);
    if (finding->early && rt.session->request.options.keep_going && may_stand(finding))
        stand_before_failure(task, finding);
    rt.host->ops->found(rt.host, finding);
    end_execution(OUTCOME_FAILED);
}

/* Fills the finding in. The caller keeps it in its own frame, because there may be no room for a
 * second one on the stack. After this call rt.current is NULL: calls of the C library are our own
 * and not the program's. */
static void describe(struct finding *finding, struct task *task, uint64_t pc, const char *format,
                     va_list list) {
    finding->task = task->id;
    rt.current = NULL;
    vsnprintf(finding->text, sizeof finding->text, format, list);
    finding_place(finding, task, pc, "");
}

_Noreturn void found(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                     const char *format, ...) {
    struct finding finding = {.kind = kind, .object = object};
    va_list list;
    va_start(list, format);
    describe(&finding, task, pc, format, list);
    found_with(&finding);
}

void found_on_the_way(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                      const char *format, ...) {
    struct finding finding = {.kind = kind, .object = object};
    va_list list;
    va_start(list, format);
    describe(&finding, task, pc, format, list);
    va_end(list);
    if (!rt.session->request.options.keep_going)
        found_with(&finding);
    rt.host->ops->found(rt.host, &finding);
    rt.current = task;
}

_Noreturn void found_somewhere(struct task *task, enum finding_kind kind, uint64_t pc,
                               const char *format, ...) {
    struct finding finding = {.kind = kind, .place_varies = true};
    va_list list;
    va_start(list, format);
    describe(&finding, task, pc, format, list);
    found_with(&finding);
}

_Noreturn void unsupported(const char *call, uint64_t pc, const char *why) {
    struct session *session = rt.session;
    bool on_fiber = rt.current != NULL;
    rt.current = NULL;
    snprintf(session->result.failure.text, sizeof session->result.failure.text, "%s: %s", call,
             why);
    session->result.failure.pc = pc;
    session->result.failure.verdict = VERDICT_UNSUPPORTED;
    if (on_fiber)
        end_execution(OUTCOME_ERROR);
    session->live.phase = PHASE_DONE;
    native_syscall(SYS_exit_group, 5);
    __builtin_unreachable();
}

void uncontrolled(const char *call, const char *why, uint64_t pc) {
    if (first_lasting_call == NULL)
        first_lasting_call = call;
    ledger_uncontrolled(&rt.session->result.ledger, call, why, pc);
}

void noted(const char *call, const char *why, uint64_t pc) {
    ledger_uncontrolled(&rt.session->result.ledger, call, why, pc);
}

void narrowed(const char *call, const char *why, uint64_t pc) {
    ledger_narrowed(&rt.session->result.ledger, call, why, pc);
}
