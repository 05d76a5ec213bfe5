/* stack.c - the call stack of a task.
 *
 * Instrumented functions leave a record of who called them, so much is always known. Between them there
 * may be code that leaves none: libraries, that of C++ above all, which calls us and is called by the
 * user. So the frames are walked one after the other by the tables in .eh_frame (base/unwind/), from
 * where the task stands, through our own code, which is left out. The records confirm the walk: the place
 * of each is the return address of the frame in which it was made. If that is not so in the end, the
 * tables are wrong, and the records alone are the stack. Where the tables end, the records go on.
 *
 * Left out: stacks that the program made itself (coroutines), and libraries that are loaded while it
 * runs: there the walk ends. */
#define _GNU_SOURCE
#include "substrates/native/stack.h"

#include <ucontext.h>

#include "base/unwind/module.h"
#include "base/unwind/unwind.h"

enum {
    /* A record has the frame address of __tsan_func_entry: the stack pointer of who called that, less
     * a return address and the frame pointer. */
    RECORD_BELOW = 16,
};

static struct unwind tables;
static struct unwind_frame interrupted; /* rip 0: nobody is */

void stack_add_module(const struct dl_phdr_info *info) {
    struct unwind_module module = unwind_module_of(info);
    unwind_add(&tables, &module);
}

/* --- where a walk begins --- */

void stack_reset(void) {
    interrupted.registers[UNWIND_RIP] = 0;
}

/* A call of what is no function has left its return address on the stack. */
static void leave_call_of_nothing(const struct task *task, struct unwind_frame *frame) {
    uint64_t *registers = frame->registers;
    if (registers[UNWIND_RIP] >= PAGE || !own_stack(task, registers[UNWIND_RSP]))
        return;
    registers[UNWIND_RIP] = *(const uint64_t *)registers[UNWIND_RSP];
    registers[UNWIND_RSP] += sizeof(uint64_t);
    frame->interrupted = false;
}

/* The place of a frame, as readers want it. */
static uint64_t place_of(const struct unwind_frame *frame) {
    return frame->registers[UNWIND_RIP] + frame->interrupted;
}

static bool go_up(const struct task *task, struct unwind_frame *frame) {
    return unwind_up(&tables, frame, slot_stack_low(task->id), slot_stack_top(task->id));
}

static void begin_at(struct unwind_frame *frame, const struct debugger_registers *registers) {
    *frame = (struct unwind_frame){
        .registers[UNWIND_RIP] = registers->rip,
        .registers[UNWIND_RSP] = registers->rsp,
        .registers[UNWIND_RBP] = registers->rbp,
        .registers[UNWIND_RBX] = registers->rbx,
        .registers[UNWIND_R12] = registers->r12,
        .registers[UNWIND_R13] = registers->r13,
        .registers[UNWIND_R14] = registers->r14,
        .registers[UNWIND_R15] = registers->r15,
        .interrupted = true,
    };
}

uint64_t stack_interrupted(const struct task *task, const void *signal_context) {
    const greg_t *registers = ((const ucontext_t *)signal_context)->uc_mcontext.gregs;
    struct debugger_registers there = {
        .rip = (uint64_t)registers[REG_RIP],
        .rsp = (uint64_t)registers[REG_RSP],
        .rbp = (uint64_t)registers[REG_RBP],
        .rbx = (uint64_t)registers[REG_RBX],
        .r12 = (uint64_t)registers[REG_R12],
        .r13 = (uint64_t)registers[REG_R13],
        .r14 = (uint64_t)registers[REG_R14],
        .r15 = (uint64_t)registers[REG_R15],
    };
    begin_at(&interrupted, &there);
    leave_call_of_nothing(task, &interrupted);
    struct unwind_frame frame = interrupted;
    while (is_own_code(frame.registers[UNWIND_RIP])) /* it has called us */
        if (!go_up(task, &frame))
            return task->op.pc;
    return place_of(&frame);
}

bool stack_interrupted_in_library(void) {
    uint64_t pc = interrupted.registers[UNWIND_RIP];
    return pc != 0 && !is_own_code(pc) && pc - rt.program_code.start >= rt.program_code.size;
}

bool stack_take_interrupted(struct debugger_registers *registers) {
    const uint64_t *there = interrupted.registers;
    if (there[UNWIND_RIP] == 0)
        return false;
    *registers = (struct debugger_registers){
        .rip = there[UNWIND_RIP],
        .rsp = there[UNWIND_RSP],
        .rbp = there[UNWIND_RBP],
        .rbx = there[UNWIND_RBX],
        .r12 = there[UNWIND_R12],
        .r13 = there[UNWIND_R13],
        .r14 = there[UNWIND_R14],
        .r15 = there[UNWIND_R15],
    };
    stack_reset();
    return true;
}

/* --- the walk --- */

struct walk {
    const struct task *task;
    struct unwind_frame frame;
    uint64_t innermost; /* where the stack begins: what is below is left out */
    bool begun;
    uint32_t records;  /* so many are not met yet, the outermost ones */
    bool contradicted; /* the last one that was met is of another call */
    uint64_t *pcs;
    uint32_t count, max;
};

static const struct call *next_record(const struct walk *walk) {
    return walk->records > 0 ? &walk->task->calls[(walk->records - 1) % CALLS_MAX] : NULL;
}

static void add_place(struct walk *walk, uint64_t pc) {
    walk->begun = walk->begun || pc == walk->innermost;
    if (walk->begun && !is_own_code(pc) && walk->count < walk->max)
        walk->pcs[walk->count++] = pc;
}

/* The records of the frame that was just left. One that is not of its call was left behind by a longjmp, if
 * others that are follow. */
static void meet_records(struct walk *walk, bool own_frame) {
    const struct unwind_frame *caller = &walk->frame;
    uint64_t end = caller->registers[UNWIND_RSP] - RECORD_BELOW;
    const struct call *record;
    for (; (record = next_record(walk)) != NULL && record->sp < end; walk->records--)
        walk->contradicted = !own_frame && record->pc != caller->registers[UNWIND_RIP];
}

static void add_records(struct walk *walk) {
    for (const struct call *record; (record = next_record(walk)) != NULL; walk->records--) {
        if (walk->count == walk->max)
            return;
        walk->pcs[walk->count++] = record->pc;
    }
}

/* False if the frames are not those of the records, or do not have the place where the stack begins. */
static bool walk_frames(struct walk *walk) {
    bool own_frame = is_own_code(walk->frame.registers[UNWIND_RIP]);
    add_place(walk, place_of(&walk->frame));
    while (walk->count < walk->max && go_up(walk->task, &walk->frame)) {
        meet_records(walk, own_frame);
        own_frame = is_own_code(walk->frame.registers[UNWIND_RIP]);
        add_place(walk, place_of(&walk->frame));
    }
    return walk->begun && !walk->contradicted;
}

static bool runs(const struct task *task) {
    return rt.session->in_program && rt.session->running == task->id;
}

/* A machine has no frames between its steps. */
static bool stands(const struct task *task) {
    return rt.keeps_registers && task->state == TASK_LIVE && task->machine == NULL;
}

/* The function that the walk starts in must not return before it is over. */
static __attribute__((noinline)) bool walk_stack(struct walk *walk) {
    struct debugger_registers here;
    if (!runs(walk->task) && !stands(walk->task))
        return false;
    if (!runs(walk->task)) {
        begin_at(&walk->frame, debugger_registers_of(walk->task));
    } else if (interrupted.registers[UNWIND_RIP] != 0) {
        walk->frame = interrupted;
    } else {
        stack_note_registers(&here);
        begin_at(&walk->frame, &here);
    }
    return walk_frames(walk);
}

uint32_t task_stack(const struct task *task, uint64_t innermost, uint64_t *pcs, uint32_t max) {
    struct walk walk = {
        .task = task, .innermost = innermost, .records = task->depth, .pcs = pcs, .max = max};
    if (innermost == 0 || max == 0 || !walk_stack(&walk)) {
        walk.records = task->depth;
        walk.count = 0;
        if (innermost != 0 && max > 0)
            pcs[walk.count++] = innermost;
    }
    add_records(&walk);
    return walk.count;
}
