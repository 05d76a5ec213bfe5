/* traits.h - properties of a thread that no scheduling decision uses: its name, its signal mask.
 * A new thread inherits them from its creator. */
#ifndef NATIVE_TRAITS_H
#define NATIVE_TRAITS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct task;

struct traits {
    char name[16]; /* at most 15 characters, as in Linux */
    bool named;    /* the program has set `name` */
    /* For each signal, how many arrivals wait until it is unblocked. At most 1 for a standard
     * signal (below SIGRTMIN). */
    unsigned char pending[NSIG];
    uint64_t signals_blocked; /* bit n-1 for signal n */
};

/* Asks the kernel for the name of the first thread, before main. */
void traits_find_name(void);
/* The child gets the traits of its creator, but not the creator's pending signals. */
void traits_inherit(struct task *child, const struct task *parent);

/* Returns the traits of the task for a change. The first call for a task creates them. */
struct traits *traits_of(struct task *task);

#endif
