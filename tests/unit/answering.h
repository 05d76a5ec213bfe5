/* answering.h - a host without an engine: it answers choices from a list, so that a test can try all
 * answers of a step. Events and findings go nowhere. */
#ifndef TESTS_UNIT_ANSWERING_H
#define TESTS_UNIT_ANSWERING_H

#include "engine/system.h"

enum { ANSWERS = 8 };

struct answering {
    struct host base;
    uint32_t answers[ANSWERS], counts[ANSWERS], asked;
    struct event event;
};

void answering_init(struct answering *host);

/* Before the first try of a step: all answers 0. */
void answers_first(struct answering *host);

/* Before the next try: the next combination. False after the last. */
bool answers_next(struct answering *host);

#endif
