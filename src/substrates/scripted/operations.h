/* operations.h - the operations of scripted tasks: what they are (operations.c), and helpers for
 * their effects (effects.c). */
#ifndef SUBSTRATES_SCRIPTED_OPERATIONS_H
#define SUBSTRATES_SCRIPTED_OPERATIONS_H

#include "event/op_kind.h"
#include "substrates/scripted/scripted.h"

#define ONCE_DONE UINT32_MAX

static inline const struct script_instruction *instruction_at(const struct scripted *system,
                                                              uint32_t task) {
    return &system->script->tasks[task].code[system->state.tasks[task].at];
}

/* Whether this instruction is an operation. */
static inline bool is_visible(const struct script_instruction *instruction) {
    return instruction->code < OP_KINDS || instruction->code == SCRIPT_AWAIT ||
           instruction->code == SCRIPT_UNTIL;
}

static inline bool is_over(const struct script_state *state, uint32_t task) {
    return state->tasks[task].status == TASK_OVER;
}

/* Whether the end of this task is a step of its own. */
static inline bool script_ends_by_step(const struct script_task *task) {
    return task->length > 0 && task->code[task->length - 1].code == OP_END;
}

bool is_memory(const struct script_instruction *instruction);
uint64_t script_pc(const struct scripted *system, uint32_t task);
uint64_t script_address(const struct script_instruction *instruction);

/* The operation before which the task stands. */
struct op operation_of(const struct scripted *system, uint32_t task);
bool operation_enabled(const struct scripted *system, uint32_t task);
uint32_t operation_holder(const struct scripted *system, uint32_t task, uint32_t nth);

/* Performs the operation, with its event. Then the task stands at the same instruction in another
 * phase, or at the next instruction. `flags` are added to the event. */
void operation_perform(struct scripted *system, uint32_t task, uint32_t flags);

/* Whether a receive takes this message; and the index of the oldest message that it takes, or the
 * number of messages. */
bool script_matches(const struct script_instruction *receive, uint64_t message);
uint32_t script_first_match(const struct script_mailbox *box,
                            const struct script_instruction *receive);

/* Puts a value into the register, and into the history. */
void script_got(struct scripted *system, uint32_t task, uint64_t value);

uint64_t script_load(const struct script_state *state,
                     const struct script_instruction *instruction);
void script_store(struct script_state *state, const struct script_instruction *instruction,
                  uint64_t value);

#endif
