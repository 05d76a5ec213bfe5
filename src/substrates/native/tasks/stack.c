/* stack.c - the call stack of a task.
 *
 * Instrumented functions leave a record of their caller, so this much is always known. Between
 * them there may be code that leaves no record, above all the C++ library, which calls us and is
 * called by the program. So the frames are walked one after the other by the tables in .eh_frame
 * (base/unwind/), from where the task stands. Frames of our own code are left out.
 *
 * The records confirm the walk. A function makes its record when it begins, and the record holds
 * the return address of the function. The walk finds the return address of each function by the
 * tables, so both must be equal. If the outermost of the compared records differs, the tables are
 * wrong, and the stack is made of the records alone. Where the walk ends, the other records are
 * added.
 *
 * Stacks are taken in the repetition that collects evidence, and for the simulator. The walk
 * begins with the registers of the task: the present ones if it runs, those that it left when it
 * parked, or those at which a signal has interrupted it. Nothing of the walk may stay on the
 * stack of the task (native_unseen), because spin.c recognises a waiting loop by its frames, and
 * must park the task in the repetition exactly where it was parked in the search.
 *
 * Left out: stacks that the program made itself (coroutines), and libraries that are loaded while
 * the program runs. The walk ends there. */
#define _GNU_SOURCE
#include "substrates/native/tasks/stack.h"

#include <ucontext.h>

#include "base/unwind/module.h"
#include "base/unwind/unwind.h"
#include "engine/debugger.h"
#include "engine/session.h"
#include "substrates/native/interpose.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/tasks/stack_room.h"

enum {
    /* A record holds the frame address of __tsan_func_entry: the stack pointer of its caller,
     * less a return address and a frame pointer. */
    RECORD_BELOW = 16,
};

static struct unwind tables;
static struct unwind_frame interrupted; /* rip 0: no task was interrupted */

void stack_add_module(const struct dl_phdr_info *info) {
    struct unwind_module module = unwind_module_of(info);
    unwind_add(&tables, &module);
}

/* --- where a walk begins --- */

void stack_reset(void) {
    interrupted.registers[UNWIND_RIP] = 0;
}

/* If the task has called a pointer into the first page (mostly NULL), moves the frame back to the
 * call. No function has begun there, so the return address is still on top of the stack. */
static void leave_call_of_nothing(const struct task *task, struct unwind_frame *frame) {
    uint64_t *registers = frame->registers;
    if (registers[UNWIND_RIP] >= PAGE || !own_stack(task, registers[UNWIND_RSP]))
        return;
    registers[UNWIND_RIP] = *(const uint64_t *)registers[UNWIND_RSP];
    registers[UNWIND_RSP] += sizeof(uint64_t);
    frame->interrupted = false;
}

/* Returns the place of a frame in the form of a return address: readers of stacks look up the
 * instruction before it. The rip of an interrupted frame is the instruction itself, so 1 is
 * added. */
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
    while (is_own_code(frame.registers[UNWIND_RIP])) /* the program has called us */
        if (!go_up(task, &frame))
            return task->op.pc;
    return place_of(&frame);
}

bool stack_interrupted_in_library(void) {
    uint64_t pc = interrupted.registers[UNWIND_RIP];
    return pc != 0 && !is_own_code(pc) && !in_range(&code_ranges.program, pc);
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
    uint64_t innermost; /* where the stack begins: frames before this place are left out */
    bool begun;         /* the walk has come to `innermost` */
    uint32_t records;   /* how many records, the outermost ones, were not compared yet */
    bool contradicted;  /* the record compared last does not fit its frame */
    uint64_t *pcs;
    uint32_t count, max;
};

static const struct call *next_record(const struct walk *walk) {
    return walk->records > 0 ? &walk->task->calls.records[(walk->records - 1) % CALLS_MAX] : NULL;
}

static void add_place(struct walk *walk, uint64_t pc) {
    walk->begun = walk->begun || pc == walk->innermost;
    if (walk->begun && !is_own_code(pc) && walk->count < walk->max)
        walk->pcs[walk->count++] = pc;
}

/* Compares the records of the frame that was just left with its return address. A longjmp leaves
 * records of calls that are gone, and these differ. So only the last comparison counts: a record
 * that fits, further out, makes up for earlier ones that do not. Our own frames have no records,
 * and what is found there is not compared. */
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

/* Returns false if the frames contradict the records, or do not contain the place where the
 * stack begins. */
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
    return rt.session->live.process.in_program && rt.session->live.process.running == task->id;
}

/* Returns true if the task has parked and has left its registers. False for a machine, which has no
 * frames between two actions. */
static bool stands(const struct task *task) {
    return debugging.keeps_registers && task->state == TASK_LIVE && task->machine == NULL;
}

/* The walk starts in this function, which must not return before the walk is over. */
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
        .task = task, .innermost = innermost, .records = task->calls.depth, .pcs = pcs, .max = max};
    if (innermost == 0 || max == 0 || !walk_stack(&walk)) {
        walk.records = task->calls.depth;
        walk.count = 0;
        if (innermost != 0 && max > 0)
            pcs[walk.count++] = innermost;
    }
    add_records(&walk);
    return walk.count;
}
