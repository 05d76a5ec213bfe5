/* answering.h - a host without an engine. It answers choices from a list, so that a test can try
 * all answers of a step. It ignores events and findings. */
#ifndef TESTS_UNIT_ANSWERING_H
#define TESTS_UNIT_ANSWERING_H

#include "engine/system.h"
#include "event/event.h"

enum { ANSWERS = 8 };

struct answering {
    struct host base;
    uint32_t answers[ANSWERS], counts[ANSWERS], asked;
    struct event event;
};

void answering_init(struct answering *host);

/* Call this before the first try of a step. It sets all answers to 0. */
void answers_first(struct answering *host);

/* Call this before the next try. It sets the next combination of answers, and returns false if the
 * last try had the last one. */
bool answers_next(struct answering *host);

#endif
