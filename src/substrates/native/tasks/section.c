/* section.c - atomic sections: operations between heddle_atomic_begin and heddle_atomic_end are
 * one step. */
#include "substrates/native/tasks/section.h"

#include "execution/finding.h"
#include "stub/stub.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"

/* The section as a whole is one operation: the begin. The end is a note to the analyses. */
static void begin(uint64_t pc, bool unseen) {
    struct task *task = rt.current;
    if (task == NULL) {
        stub_atomic_begin();
        return;
    }
    if (task->section.depth > 0) {
        task->section.depth++;
        return;
    }
    struct op op = {.kind = OP_ATOMIC, .unseen = unseen, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    task->section.depth = 1;
    task->effects++;
    happened(event);
}

void section_begin(uint64_t pc) {
    begin(pc, sections_hide);
}

void section_begin_seen(uint64_t pc) {
    begin(pc, false);
}

void section_end(uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL) {
        stub_atomic_end();
        return;
    }
    if (task->section.depth == 0)
        found(task, FINDING_MISUSE, 0, pc, "end of an atomic section that has not begun");
    if (task->section.depth == 1) {
        struct op op = {.kind = OP_ATOMIC, .section_ends = 1, .pc = pc};
        happened(perform(task, &op, NULL, NULL)); /* still inside: happens at once */
    }
    task->section.depth--;
}
