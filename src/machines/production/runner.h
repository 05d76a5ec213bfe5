/* runner.h - what runs on this thread: a machine, for a moment a monitor that looks at what it sends, or
 * neither. And the end of a program that is wrong: one line, and abort. */
#ifndef MACHINES_PRODUCTION_RUNNER_H
#define MACHINES_PRODUCTION_RUNNER_H

#include "machines/reaction.h"

struct member; /* crew.h */

struct runner {
    struct reaction reaction; /* first: a reaction is told by its address */
    struct member *member;    /* borrowed; NULL: it is a monitor */
    machine_id id;            /* of the machine; of a monitor: of whoever sends what it looks at */
};

void runner_init(struct runner *runner, struct machine *machine, void *memory);

/* Who runs here from now on (borrowed), and who did so far. */
struct runner *runner_switch(struct runner *runner);
/* NULL: neither machine nor monitor. */
struct runner *runner_here(void);

/* `receiver`: for monitors, else 0. */
void runner_react(struct runner *runner, const struct machine_message *message,
                  machine_id receiver);

/* "heddle: machine Client 3: ...", by who runs here. */
_Noreturn void production_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Zeroed memory, never NULL. */
void *production_allocate(size_t size);

#endif
