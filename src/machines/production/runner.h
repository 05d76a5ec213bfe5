/* runner.h - what runs on this thread: a machine, or for a moment a monitor that looks at an
 * event of the machine, or neither. And the end of a wrong program: one line, and abort. */
#ifndef MACHINES_PRODUCTION_RUNNER_H
#define MACHINES_PRODUCTION_RUNNER_H

#include "machines/reaction.h"

struct member; /* crew.h */

struct runner {
    struct reaction
        reaction;          /* first, because a pointer to the reaction is a pointer to the runner */
    struct member *member; /* borrowed; NULL: this is a monitor */
    machine_id id;         /* of the machine; for a monitor, of the machine that sends the event */
};

void runner_init(struct runner *runner, struct machine *machine, void *memory);

/* Sets what runs here from now on (borrowed). Returns what ran here so far. */
struct runner *runner_switch(struct runner *runner);
/* NULL: neither a machine nor a monitor. */
struct runner *runner_here(void);

/* `receiver` is for monitors; else it is 0. */
void runner_react(struct runner *runner, const struct machine_message *message,
                  machine_id receiver);

/* Prints "heddle: machine Client 3: ...", with the name of what runs here, and ends the program. */
_Noreturn void production_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Zeroed memory, never NULL. */
void *production_allocate(size_t size);

#endif
