/* walk.h - one search of a script, execution by execution, without analyses. */
#ifndef TESTS_UNIT_WALK_H
#define TESTS_UNIT_WALK_H

#include "unit/harness.h"

struct walk {
    struct session *session;
    struct scripted system;
    struct explorer *explorer;
};

/* `strategy` may be NULL: then the mode decides. */
void walk_open(struct walk *walk, const struct script *script, const char *strategy,
               const struct options *options);
void walk_close(struct walk *walk);

/* The number of executions that were begun, whatever their outcome. */
uint64_t walk_begun(const struct walk *walk);

#endif
