/* shared_stack.c - see shared_stack.h. */
#include "substrates/native/memory/shared_stack.h"

#include "engine/session.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/begin_again.h"
#include "substrates/native/tasks/outcome.h"

enum { LINE = 64 };

bool private_stacks;
struct stack_part shared_stacks[SESSION_TASKS_MAX];

static bool explores(void) {
    const struct options *options = &rt.session->request.options;
    return plain_accesses.explored && !options->shared_stacks && options->mode == MODE_EXPLORE;
}

void stacks_begin(void) {
    bool leaves_out = memory_is_saved() && rt.host->wants_accesses && !debugging.keeps_registers;
    private_stacks = leaves_out || explores();
}

/* A part that has to grow doubles, so that few executions have to begin again. */
static void extend(struct stack_part *part, uint64_t low, uint64_t high, uint64_t limit) {
    if (part->low != part->high) {
        low = part->low < low ? part->low : low;
        high = part->high > high ? part->high : high;
        uint64_t more = (high - low) / 2;
        low -= more;
        high = high + more < limit ? high + more : limit;
    }
    part->low = low & ~(uint64_t)(LINE - 1);
    part->high = (high + LINE - 1) & ~(uint64_t)(LINE - 1);
}

void stack_visited(const struct task *task, uint64_t address, uint32_t size) {
    uint32_t owner = (uint32_t)((address - SLOT_BASE) / SLOT_SIZE);
    struct stack_part *part = &shared_stacks[owner];
    uint64_t top = slot_stack_top(owner);
    uint64_t end =
        address + size < top ? address + size : top; /* memory above the stack is no part of it */
    bool on_stack = address - slot_stack_low(owner) < SLOT_STACK;
    if (owner == task->id || !on_stack || (address >= part->low && end <= part->high))
        return;
    if (explores())
        begin_search_again(LACKS_SHARED_STACKS);
    extend(part, address, end, top);
    end_execution(OUTCOME_RESTART);
}
