/* happens_before.h - C11's happens-before straight from its definition: a list of what happened,
 * the edges between pairs, and their transitive closure. It is slow and simple, and it judges the
 * race analysis. */
#ifndef TESTS_UNIT_HAPPENS_BEFORE_H
#define TESTS_UNIT_HAPPENS_BEFORE_H

#include <stdbool.h>

#include "event/event.h"

enum { HISTORY_MAX = 256 };

/* An event or a plain access. */
struct item {
    struct event event; /* for a plain access, the kind is OP_KINDS */
    uint32_t task;
    uint64_t address, pc;
    uint32_t size; /* 0 if it touches no memory */
    bool write, atomic, in_section;
    int32_t reported; /* the earlier access that the analysis named, or -1 */
    uint64_t before[HISTORY_MAX / 64];
};

struct history {
    struct item items[HISTORY_MAX];
    uint32_t count;
    bool stores_end; /* a store of the same task ends a release sequence, as in C++20 */
};

void history_event(struct history *history, const struct event *event);
void history_access(struct history *history, uint32_t task, uint64_t address, uint32_t size,
                    bool write, uint64_t pc);

/* Computes the order. Call this when all items are there. */
void history_close(struct history *history);

bool items_overlap(const struct item *a, const struct item *b);
bool history_race(const struct history *history, uint32_t earlier, uint32_t later);

/* The index of the memory access of `task` at `pc`, or -1. */
int32_t history_find(const struct history *history, uint32_t task, uint64_t pc);

#endif
