/* api.c - the calls of <heddle/heddle.h> under control. Without a session every call goes to the
 * stub. Mailboxes are in sync/mailbox.c, atomic sections in tasks/section.c, the names of
 * SV-COMP in svcomp.c. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

#include "engine/session.h"
#include "stub/stub.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/native.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/section.h"

enum { NOTE_MAX = 200 };

EXPORT bool heddle_running(void) {
    return rt.current != NULL;
}

/* See include/heddle/c++/bits/atomic_wait.h. */
EXPORT bool heddle_has_looked(void) {
    return rt.current != NULL && rt.current->op.kind == OP_LOAD;
}

/* --- choices -------------------------------------------------------------------------------- */

int choose_value(int count, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return stub_choose(count);
    if (count < 1)
        found(task, FINDING_MISUSE, 0, pc, "heddle_choose(%d): nothing to choose from", count);
    struct op op = {.kind = OP_CHOOSE, .choices = (uint64_t)count, .pc = pc};
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

/* The task stands before an assumption that does not hold, for good. Other tasks have seen what
 * it did, and go on. Inside an atomic section or a monitor no other task can move, so the
 * execution ends. */
static _Noreturn void stop_for_good(struct task *task, uint64_t pc) {
    static const struct wait_ops never = {.ready = never_ready};
    struct op op = {.kind = OP_ASSUME, .pc = pc};
    if (machine_acts(task))
        machine_stops(task, pc);
    if (task->section.depth == 0 && task->machine == NULL)
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

EXPORT void heddle_atomic_begin(void) {
    section_begin(CALLER);
}
EXPORT void heddle_atomic_end(void) {
    section_end(CALLER);
}

/* A note or a hint. Making it leaves traces on the stack that depend on the search, for example
 * on the length of the execution. States are compared by stacks, too, so notes and hints are
 * made by system_unseen. */
struct line {
    struct task *task;
    const char *text;
    va_list *list; /* the arguments of a note's format */
    uint64_t pc;
};

static void add_note(void *context) {
    static char text[NOTE_MAX];
    struct line *line = context;
    rt.current = NULL; /* formatting may allocate */
    vsnprintf(text, sizeof text, line->text, *line->list);
    if (debugging.on)
        debugger_begins(line->task);
    execution_add_note(rt.session->live.current, line->task->id, text, line->pc);
    rt.current = line->task;
}

static void add_hint(void *context) {
    struct line *line = context;
    if (debugging.on)
        debugger_begins(line->task);
    execution_add_hint(rt.session->live.current, line->task->id, line->text, line->pc);
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

/* Hints are recorded in every execution, because delaying explorers use them. */
EXPORT void heddle_hint(const char *what) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    struct line line = {task, what, NULL, CALLER};
    system_unseen(&native_system, add_hint, &line);
}
