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

/* What a note or a hint leaves on the stack depends on the search (how long the execution is, whether there is
 * evidence), so it is made unseen: states are compared by stacks, too. */
struct line {
    struct task *task;
    const char *text;
    va_list *list; /* what a note's text is made of */
    uint64_t pc;
};

static void add_note(void *context) {
    static char text[NOTE_MAX];
    struct line *line = context;
    rt.current = NULL; /* formatting may allocate */
    vsnprintf(text, sizeof text, line->text, *line->list);
    if (rt.debugged)
        debugger_begins(line->task);
    execution_add_note(rt.session->current, line->task->id, text, line->pc);
    rt.current = line->task;
}

static void add_hint(void *context) {
    struct line *line = context;
    if (rt.debugged)
        debugger_begins(line->task);
    execution_add_hint(rt.session->current, line->task->id, line->text, line->pc);
}

EXPORT void heddle_note(const char *format, ...) {
    struct task *task = rt.current;
    va_list list;
    if (task == NULL)
        return;
    va_start(list, format);
    struct line line = {task, format, &list, CALLER};
    system_unseen(&native_system, rt.host->evidence ? add_note : NULL, &line);
    va_end(list);
}

/* Recorded in every execution: delaying explorers go by it. */
EXPORT void heddle_hint(const char *what) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    struct line line = {task, what, NULL, CALLER};
    system_unseen(&native_system, add_hint, &line);
}
