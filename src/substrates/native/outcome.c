/* outcome.c - how an execution ends before its time: findings, and what cannot be controlled. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "substrates/native/runtime.h"
#include "substrates/native/stack.h"

enum { STACK_MAX = 64 };

_Noreturn void end_execution(enum outcome outcome) {
    rt.outcome = outcome;
    fiber_abandon();
}

_Noreturn void begin_search_again(enum lacking lacks) {
    rt.session->lacks = lacks;
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
        place->stack = execution_add_stack(rt.session->current, pcs, count);
    }
}

/* Between the task's last operation, or its start, and this. Nobody else moves within an atomic section or the
 * action of a machine, which shares no memory either. The end of the process by an exit is an operation. */
static bool others_could_move(const struct task *task, const struct finding *finding) {
    if (finding->kind == FINDING_EXIT || rt.at_operation || task->atomic_depth > 0 ||
        task->machine != NULL)
        return false;
    for (uint32_t i = 0; i < rt.live_count; i++)
        if (rt.live[i] != task->id && task_ready(&rt.tasks[rt.live[i]]))
            return true;
    return false;
}

/* With --keep-going what others do before the process ends counts, too: it may be wrong as well, and race with
 * what this task did since its last operation. So the failure is an operation, and the task stands before it;
 * native_fail() is what comes of it. */
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
    rt.outcome = OUTCOME_FAILED;
    rt.host->ops->found(rt.host, task->failure);
}

/* Where a clock interrupts a loop is another place each time, so nobody may see what the task left there. A
 * library may hold locks of its own. */
static bool may_stand(const struct finding *finding) {
    return finding->kind != FINDING_DIVERGENCE && !stack_interrupted_in_library();
}

_Noreturn void found_with(struct finding *finding) {
    struct task *task = &rt.tasks[finding->task];
    machine_postpone(finding);
    process_flush();
    finding->early = others_could_move(task, finding);
    if (finding->early && rt.session->options.keep_going && may_stand(finding))
        stand_before_failure(task, finding);
    rt.host->ops->found(rt.host, finding);
    end_execution(OUTCOME_FAILED);
}

/* In the caller's frame: there may be little room left. From here on, our own code. */
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
    if (!rt.session->options.keep_going)
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
    snprintf(session->error, sizeof session->error, "%s: %s", call, why);
    session->error_pc = pc;
    session->error_verdict = VERDICT_UNSUPPORTED;
    if (on_fiber)
        end_execution(OUTCOME_ERROR);
    session->phase = PHASE_DONE;
    native_syscall(SYS_exit_group, 5);
    __builtin_unreachable();
}

void uncontrolled(const char *call, const char *why, uint64_t pc) {
    if (rt.left_traces == NULL)
        rt.left_traces = call;
    session_uncontrolled(rt.session, call, why, pc);
}

void noted(const char *call, const char *why, uint64_t pc) {
    session_uncontrolled(rt.session, call, why, pc);
}

void narrowed(const char *call, const char *why, uint64_t pc) {
    session_narrowed(rt.session, call, why, pc);
}
