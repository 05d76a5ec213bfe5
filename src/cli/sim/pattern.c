/* pattern.c - see pattern.h. */
#include "cli/sim/pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char BLANKS[] = " \t";

/* Reads the next word and moves *text behind it. Returns false at the end. */
static bool next_word(const char **text, char word[PATTERN_SIZE]) {
    *text += strspn(*text, BLANKS);
    size_t length = strcspn(*text, BLANKS);
    snprintf(word, PATTERN_SIZE, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

/* Compares also literally: "forks[2]" is a name, and as a glob it would not match itself. */
static bool is_like(const char *word, const char *text) {
    return text[0] != '\0' && (strcmp(word, text) == 0 || fnmatch(word, text, 0) == 0);
}

static bool is_task(const char *word, const struct operation_text *operation) {
    char name[16];
    snprintf(name, sizeof name, "T%" PRIu32, operation->task);
    return strcmp(word, name) == 0 || is_like(word, operation->task_function);
}

static bool is_kind(const char *word, const char *kind) {
    char part[PATTERN_SIZE];
    if (is_like(word, kind))
        return true;
    while (next_word(&kind, part))
        if (is_like(word, part))
            return true;
    return false;
}

static bool is_place(const char *word, const struct operation_text *operation) {
    char place[300];
    const char *colon = strrchr(word, ':');
    if (colon == NULL)
        return is_like(word, operation->file) || is_like(word, operation->function);
    snprintf(place, sizeof place, "%.250s:%" PRIu32, colon == word ? "" : operation->file,
             operation->line);
    return is_like(word, place);
}

static bool is_in(const char *word, const struct operation_text *operation) {
    return is_task(word, operation) || is_kind(word, operation->kind) ||
           is_like(word, operation->object) || is_like(word, operation->object2) ||
           is_place(word, operation);
}

bool pattern_matches(const char *pattern, const struct operation_text *operation) {
    char word[PATTERN_SIZE];
    bool any = false;
    while (next_word(&pattern, word)) {
        if (!is_in(word, operation))
            return false;
        any = true;
    }
    return any;
}

/* --- breakpoints --- */

bool breakpoints_add(struct breakpoints *breakpoints, const char *pattern) {
    char word[PATTERN_SIZE];
    const char *rest = pattern;
    for (uint32_t i = 0; i < breakpoints->count; i++)
        if (strcmp(breakpoints->patterns[i], pattern) == 0)
            return true;
    if (breakpoints->count == BREAKPOINTS_MAX || !next_word(&rest, word))
        return false;
    snprintf(breakpoints->patterns[breakpoints->count++], PATTERN_SIZE, "%s", pattern);
    return true;
}

void breakpoints_remove(struct breakpoints *breakpoints, uint32_t at) {
    if (at >= breakpoints->count)
        return;
    breakpoints->count--;
    memmove(breakpoints->patterns[at], breakpoints->patterns[at + 1],
            (breakpoints->count - at) * sizeof breakpoints->patterns[0]);
}

const char *breakpoints_find(const struct breakpoints *breakpoints,
                             const struct operation_text *operation) {
    for (uint32_t i = 0; i < breakpoints->count; i++)
        if (pattern_matches(breakpoints->patterns[i], operation))
            return breakpoints->patterns[i];
    return NULL;
}

/* --- how far to run --- */

static bool parse_steps(struct goal *goal, const char *word) {
    char *end;
    errno = 0;
    unsigned long steps = strtoul(word, &end, 10);
    if (errno || *end || steps == 0 || steps > UINT32_MAX)
        return false;
    goal->kind = GOAL_STEPS;
    goal->steps = (uint32_t)steps;
    return true;
}

bool goal_parse(struct goal *goal, const char *text) {
    char word[PATTERN_SIZE];
    const char *rest = text;
    *goal = (struct goal){.kind = GOAL_END};
    if (!next_word(&rest, word) || strcmp(word, "end") == 0 || strcmp(word, "finding") == 0)
        return true;
    if (word[0] >= '0' && word[0] <= '9')
        return parse_steps(goal, word);
    goal->kind = GOAL_MATCH;
    snprintf(goal->pattern, sizeof goal->pattern, "%s", text);
    return true;
}

bool goal_reached(const struct goal *goal, uint32_t steps, const struct operation_text *operation) {
    switch (goal->kind) {
    case GOAL_END: return false;
    case GOAL_STEPS: return steps >= goal->steps;
    case GOAL_MATCH: return operation != NULL && pattern_matches(goal->pattern, operation);
    }
    return false;
}
