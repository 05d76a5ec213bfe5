/* await.h - waiting loops whose looks block (await.c). */
#ifndef NATIVE_AWAIT_H
#define NATIVE_AWAIT_H

#include <stdbool.h>
#include <stdint.h>

struct op;
struct task;
struct wait_ops;

/* A polling operation is about to be published, and looks can block (live.looks). Returns how the
 * task waits, or NULL if the operation never blocks. */
const struct wait_ops *await_visit(struct task *task, const struct op *op);

/* The task was chosen, and its look is about to happen. */
void await_passes(struct task *task);

/* The task waits by await_visit(). */
bool await_waits(const struct task *task);
/* The number of its look (engine/looks.h), or 0 if it does not wait in this way. */
uint32_t await_look(const struct task *task);

/* A new execution begins, or goes on from a saved state. */
void awaits_reset(void);

#endif
