/* operations.h - what the operations of scripted tasks are (operations.c) and do (effects.c). */
#ifndef SUBSTRATES_SCRIPTED_OPERATIONS_H
#define SUBSTRATES_SCRIPTED_OPERATIONS_H

#include "substrates/scripted/scripted.h"

#define ONCE_DONE UINT32_MAX

static inline const struct script_instruction *instruction_at(const struct scripted *system,
                                                              uint32_t task) {
    return &system->script->tasks[task].code[system->state.tasks[task].at];
}

/* Is this instruction an operation? */
static inline bool is_visible(const struct script_instruction *instruction) {
    return instruction->code < OP_KINDS || instruction->code == SCRIPT_AWAIT;
}

static inline bool is_over(const struct scripted *system, uint32_t task) {
    return system->state.tasks[task].status == TASK_OVER;
}

/* Is the end of this task a step of its own? */
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

/* Performs it, with its event. The task stands at the same instruction in another phase, or at the next.
 * `flags` go to the event. */
void operation_perform(struct scripted *system, uint32_t task, uint32_t flags);

/* Does a receive take it? Where the oldest one that it takes is; the end if there is none. */
bool script_matches(const struct script_instruction *receive, uint64_t message);
uint32_t script_first_match(const struct script_mailbox *box,
                            const struct script_instruction *receive);

/* The register gets a value, and the history remembers it. */
void script_got(struct scripted *system, uint32_t task, uint64_t value);

uint64_t script_load(const struct scripted *system, const struct script_instruction *instruction);
void script_store(struct scripted *system, const struct script_instruction *instruction,
                  uint64_t value);

#endif
