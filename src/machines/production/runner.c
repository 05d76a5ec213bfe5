/* runner.c - see runner.h. */
#include "machines/production/runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_MAX_BYTES = 512 };

static _Thread_local struct runner *here;

struct runner *runner_switch(struct runner *runner) {
    struct runner *before = here;
    here = runner;
    return before;
}

struct runner *runner_here(void) {
    return here;
}

/* --- what is wrong -------------------------------------------------------------------------- */

/* One call, so that the lines of two threads do not mix. */
static _Noreturn void die(const struct runner *runner, const char *text) {
    const char *name = runner != NULL ? runner->reaction.machine->table->type->name : NULL;
    if (runner == NULL)
        fprintf(stderr, "heddle: %s\n", text);
    else if (runner->member == NULL)
        fprintf(stderr, "heddle: monitor %s: %s\n", name, text);
    else
        fprintf(stderr, "heddle: machine %s %u: %s\n", name, runner->id, text);
    abort();
}

void production_wrong(const char *format, ...) {
    char text[LINE_MAX_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    die(here, text);
}

static void wrong(struct reaction *reaction, enum machine_wrong kind, const char *text) {
    (void)kind; /* the text says it */
    die((struct runner *)reaction, text);
}

void *production_allocate(size_t size) {
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL)
        production_wrong("out of memory");
    return memory;
}

/* --- reactions ------------------------------------------------------------------------------ */

void runner_init(struct runner *runner, struct machine *machine, void *memory) {
    *runner = (struct runner){.reaction = {.machine = machine, .memory = memory, .wrong = wrong}};
}

void runner_react(struct runner *runner, const struct machine_message *message,
                  machine_id receiver) {
    struct reaction *reaction = &runner->reaction;
    reaction->sender = message->sender;
    reaction->receiver = receiver;
    reaction->raises = reaction->moves = 0;
    reaction_to(reaction, message->event, message->payload);
}
