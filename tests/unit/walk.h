/* walk.h - one search of a script, execution by execution, without analyses. */
#ifndef TESTS_UNIT_WALK_H
#define TESTS_UNIT_WALK_H

#include "unit/harness.h"

struct walk {
    struct session *session;
    struct scripted system;
    struct explorer *explorer;
};

void walk_open(struct walk *walk, const struct script *script, const char *strategy,
               const struct options *options);
void walk_close(struct walk *walk);

/* Executions, of whatever outcome. */
uint64_t walk_begun(const struct walk *walk);

#endif
