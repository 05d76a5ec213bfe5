/* step.h - what the files that make a machine's step share (step.c, create.c, deliver.c,
 * rules.c). */
#ifndef NATIVE_MACHINE_STEP_H
#define NATIVE_MACHINE_STEP_H

#include "substrates/native/machines/machine.h"

/* --- step.c --- */

/* The machine waits in the middle of an action. Its stack is part of the state up to where it
 * goes on. */
void machine_leave(struct slot *slot);
/* The machine goes on in the middle of an action: clears what the search may have left on its
 * stack. */
void machine_goes_on(struct task *task);
/* Before a machine reacts, on the engine's stack: gives the machine a fresh context. */
void machine_begin_reaction(struct task *task);

/* --- deliver.c --- */

/* Delivers the first entry of the outbox. */
void machine_deliver(struct task *task, struct slot *slot);
/* The number of an event among all that were sent to the machine, or 0 if states are remembered:
 * the count is lost when a state is put back. */
uint64_t machine_event_number(uint32_t number);
/* Explains the event to readers of the trace. */
void machine_note(struct event *event, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *machine_type_name(uint32_t id);

/* --- rules.c --- */

/* struct reaction's `wrong`. */
void machine_reaction_wrong(struct reaction *reaction, enum machine_wrong kind, const char *text);

#endif
