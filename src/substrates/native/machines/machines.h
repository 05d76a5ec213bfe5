/* machines.h - machines as the rest of the substrate sees them. Their inside is in machine.h. */
#ifndef NATIVE_MACHINES_H
#define NATIVE_MACHINES_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct finding;
struct task;

/* --- task side, in an action --- */

/* An operation. A choice is part of the machine's step; every other operation is a finding. */
struct event *machine_performs(struct task *task);
/* A plain access. */
void machine_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc);
/* An allocation. Returns if the C library allocates for itself; else this is a finding. */
void machine_allocates(uint64_t pc);
/* The machine asks for something that is no part of its state, and would not come again: a
 * finding. */
void machine_asks_for(const char *what);
/* After a choice in the middle of an action: clears what we have left on the machine's stack. */
void machine_has_chosen(struct task *task);
/* Whether an action of the task's machine runs. An action of a monitor does not count. */
bool machine_acts(const struct task *task);

/* The program exits, or an assumption does not hold. Both come after the events that the action
 * has sent. */
_Noreturn void machine_exits(struct task *task, int status, uint64_t pc);
_Noreturn void machine_stops(struct task *task, uint64_t pc);
/* Does not return if the finding has to wait: the action has sent events, which come first, or
 * the machine enters its first state within the step that creates it. */
void machine_postpone(const struct finding *finding);

/* --- engine side --- */

/* What the fiber of a machine does: one step. */
void machine_main(struct task *task);
/* The machine was chosen: sets where it goes on. */
void machine_prepare(struct task *task);
/* Whether the switch to the engine came from a machine, or from main, that goes on later. Then
 * all slots are settled. */
bool machine_has_left(void);

#endif
