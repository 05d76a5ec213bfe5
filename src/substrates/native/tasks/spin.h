/* spin.h - waiting loops: a task that polls in vain is parked until something changes (spin.c). */
#ifndef NATIVE_SPIN_H
#define NATIVE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct fingerprint;
struct op;
struct task;
struct wait_ops;

/* A polling operation is about to be published. Returns how the task waits, or NULL if it does
 * not. */
const struct wait_ops *spin_visit(struct task *task, const struct op *op);
/* The task has read these bytes. */
void spin_read(struct task *task, const void *address, uint32_t size);
/* Task `by` writes to an address in some task's slot. */
void spin_disturbed(const struct task *by, uint64_t address, uint32_t size);

/* A digest of the frames and registers of a task that stands before an operation; 0: they are too
 * large. */
uint64_t spin_digest(const struct task *task);

bool spin_parked(const struct task *task);
/* The task is parked, and its last operation alone was the whole round of the loop. */
bool spin_idle(const struct task *task);
void spin_woken(struct task *task);

/* Before we return to a suspect: clears what we have left on its stack. */
void spin_wipe(void);

void spin_fingerprint(const struct task *task, struct fingerprint *out);

#endif
