/* api.c - <heddle/heddle.h> under control. Without a session every call goes to
 * the stub. Mailboxes are in mailbox.c, the names of SV-COMP benchmarks in svcomp.c. */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

#include "stub/stub.h"
#include "substrates/native/runtime.h"

enum { NOTE_MAX = 200 };

EXPORT bool heddle_running(void) {
    return rt.current != NULL;
}

/* --- choices -------------------------------------------------------------------------------- */

int choose_value(int count, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return stub_choose(count);
    if (count < 1)
        found(task, FINDING_MISUSE, 0, pc, "heddle_choose(%d): nothing to choose from", count);
    struct op op = {.kind = OP_CHOOSE, .value = (uint64_t)count, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    uint32_t chosen = choose(task, CHOICE_VALUE, (uint32_t)count);
    event->result = chosen;
    task->effects++;
    happened(event);
    if (task->machine != NULL)
        machine_has_chosen(task);
    return (int)chosen;
}

EXPORT int heddle_choose(int count) {
    return choose_value(count, CALLER);
}

static bool never_ready(const struct task *task) {
    (void)task;
    return false;
}

/* Others have seen what the task has done so far, and go on. An atomic section or a monitor is part of one
 * step, in which nobody else moves. */
static _Noreturn void stop_for_good(struct task *task, uint64_t pc) {
    static const struct wait_ops never = {.ready = never_ready};
    struct op op = {.kind = OP_ASSUME, .pc = pc};
    if (machine_acts(task))
        machine_stops(task, pc);
    if (task->atomic_depth == 0 && task->machine == NULL)
        perform(task, &op, &never, NULL);
    end_execution(OUTCOME_DROPPED);
}

EXPORT void heddle_assume(bool condition) {
    if (condition)
        return;
    if (rt.current == NULL)
        stub_assume();
    stop_for_good(rt.current, CALLER);
}

EXPORT void heddle_assertion_failed(const char *condition, const char *file, int line) {
    struct task *task = rt.current;
    if (task == NULL)
        stub_assertion_failed(condition, file, line);
    found(task, FINDING_ASSERTION, 0, CALLER, "assertion `%s' failed", condition);
}

EXPORT void heddle_yield(void) {
    struct task *task = rt.current;
    struct op op = {.kind = OP_YIELD, .pc = CALLER};
    if (task != NULL)
        happened(perform(task, &op, NULL, NULL));
    else
        stub_yield();
}

/* --- atomic sections ------------------------------------------------------------------------ */

/* The section as a whole is one operation: the begin. The end is a note to the analyses. */
void section_begin(uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL) {
        stub_atomic_begin();
        return;
    }
    if (task->atomic_depth > 0) {
        task->atomic_depth++;
        return;
    }
    struct op op = {.kind = OP_ATOMIC, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    task->atomic_depth = 1;
    task->effects++;
    happened(event);
}

void section_end(uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL) {
        stub_atomic_end();
        return;
    }
    if (task->atomic_depth == 0)
        found(task, FINDING_MISUSE, 0, pc, "end of an atomic section that has not begun");
    if (task->atomic_depth == 1) {
        struct op op = {.kind = OP_ATOMIC, .value = 1, .pc = pc};
        happened(perform(task, &op, NULL, NULL)); /* still inside: happens at once */
    }
    task->atomic_depth--;
}

EXPORT void heddle_atomic_begin(void) {
    section_begin(CALLER);
}
EXPORT void heddle_atomic_end(void) {
    section_end(CALLER);
}

EXPORT void heddle_note(const char *format, ...) {
    struct task *task = rt.current;
    char text[NOTE_MAX];
    va_list list;
    if (task == NULL || !rt.host->evidence)
        return;
    rt.current = NULL;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (rt.debugged)
        debugger_begins(task);
    execution_add_note(rt.session->current, task->id, text, CALLER);
    rt.current = task;
}

/* Recorded in every execution: delaying explorers go by it. */
EXPORT void heddle_hint(const char *what) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    if (rt.debugged)
        debugger_begins(task);
    execution_add_hint(rt.session->current, task->id, what, CALLER);
}
