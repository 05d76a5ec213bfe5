/* traits.h - what a thread can be given that nobody schedules by: its name, its signal mask. A new thread has those of
 * its creator. */
#ifndef NATIVE_TRAITS_H
#define NATIVE_TRAITS_H

#include <signal.h>

#include "substrates/native/runtime.h"

struct traits {
    char name[16]; /* as Linux has it: 15 characters */
    bool named;
    unsigned char pending
        [NSIG]; /* signals that arrived while they were blocked; of a standard one at most 1 */
    uint64_t signals_blocked; /* bit n-1 for signal n */
};

/* Asks the kernel what the first thread is called, before main. */
void traits_find_name(void);
/* The child is as its creator was; signals that wait for that one do not wait for the child. */
void traits_inherit(struct task *child, const struct task *parent);

/* To be changed. */
struct traits *traits_of(struct task *task);

#endif
