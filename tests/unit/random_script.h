/* random_script.h - random small programs over all operation kinds, for comparing searches. */
#ifndef TESTS_UNIT_RANDOM_SCRIPT_H
#define TESTS_UNIT_RANDOM_SCRIPT_H

#include "base/random.h"
#include "substrates/scripted/scripted.h"

enum { RANDOM_SCRIPT_LENGTH = 24 };

struct random_script {
    struct script script;
    struct script_instruction code[SCRIPT_TASKS][RANDOM_SCRIPT_LENGTH];
};

/* What kind of instructions a program has. */
enum script_flavour {
    FLAVOUR_SEARCH, /* no plain accesses: everything that matters is an operation */
    FLAVOUR_RACES,  /* plain accesses, weak memory orders, no assertions */
    /* as FLAVOUR_SEARCH, always with semaphores, and with SCRIPT_UNTIL. It is recorded as
     * OP_SEM_INIT if it changes nothing, else as OP_SEM_DESTROY. The test must define what these
     * are. */
    FLAVOUR_UNTIL,
    FLAVOUR_SECTIONS,      /* as FLAVOUR_SEARCH, always with atomic sections, which do more */
    FLAVOUR_SECTION_RACES, /* as FLAVOUR_RACES, likewise */
};

void random_script(struct random_script *out, struct random *random, enum script_flavour flavour,
                   uint32_t tasks, uint32_t operations_per_task);

/* Prints the script to stderr. Tests call it when they fail. */
void print_script(const struct script *script);

#endif
