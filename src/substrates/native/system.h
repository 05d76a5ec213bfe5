/* system.h - the native substrate as a struct system (system.c), and the parts of it that
 * machines share. */
#ifndef NATIVE_SYSTEM_H
#define NATIVE_SYSTEM_H

#include "engine/system.h"

/* How far the execution under way has come. */
struct progress {
    enum outcome outcome;
    uint32_t moved; /* the task that moved last, or NO_TASK */
};

extern struct progress progress;

extern const struct system_ops native_ops;

/* A task has come to rest: the task that moves next, or NULL if the engine decides. */
struct task *native_next(void);
/* Whether a state can be saved and compared: nothing of the state is out of our reach. */
bool native_can_save(void);
/* The state of the threads (fingerprint.c). */
bool native_fingerprint(struct system *self, struct fingerprint *out);

void native_run(struct system *self, uint32_t id);
enum outcome native_outcome(struct system *self);
uint32_t native_stack(struct system *self, uint32_t id, uint64_t pc, uint64_t *pcs, uint32_t max);
void native_unseen(struct system *self, void (*function)(void *context), void *context);

#endif
