/* line.c - see line.h. */
#include "cli/sim/line.h"

#include <stdlib.h>

#include "base/check.h"

void line_destroy(struct line *line) {
    free(line->decisions);
    *line = (struct line){0};
}

static void add(struct line *line, struct decision decision) {
    if (line->count == line->capacity) {
        line->capacity = line->capacity ? 2 * line->capacity : 64;
        line->decisions = realloc(line->decisions, line->capacity * sizeof *line->decisions);
        CHECK(line->decisions);
    }
    line->decisions[line->count++] = decision;
}

void line_load(struct line *line, const struct decision *decisions, uint32_t count) {
    line->count = line->at = 0;
    for (uint32_t i = 0; i < count; i++)
        add(line, decisions[i]);
}

static bool same(const struct decision *a, const struct decision *b) {
    return a->tag == b->tag && a->chosen == b->chosen && a->count == b->count;
}

void line_decide(struct line *line, struct decision decision) {
    const struct decision *next = line_next(line);
    if (next == NULL || !same(next, &decision)) {
        line_cut(line);
        add(line, decision);
    }
    line->at++;
}

const struct decision *line_next(const struct line *line) {
    return line->at < line->count ? &line->decisions[line->at] : NULL;
}

void line_cut(struct line *line) {
    line->count = line->at;
}

uint32_t line_step(const struct line *line, uint32_t at) {
    while (at > 0 && line->decisions[at - 1].tag != CHOICE_SCHEDULE)
        at--;
    return at > 0 ? at - 1 : 0;
}
