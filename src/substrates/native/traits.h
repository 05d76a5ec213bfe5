/* traits.h - what a thread can be given that nobody schedules by: its name, its signal mask. */
#ifndef NATIVE_TRAITS_H
#define NATIVE_TRAITS_H

#include "substrates/native/runtime.h"

struct traits {
    char name[16];
    bool named;
    uint64_t signals_blocked; /* bit n-1 for signal n */
};

/* To be changed. */
struct traits *traits_of(struct task *task);

#endif
