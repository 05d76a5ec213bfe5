/* members.c - see members.h. */
#include "engine/members.h"

#include <string.h>

uint32_t members_row(const struct members *members, const char *name) {
    for (uint32_t row = 0; row < members->count; row++)
        if (strcmp(members->rows[row].name, name) == 0)
            return row + 1;
    return 0;
}

static void merge_row(struct member_row *into, const struct member_row *from) {
    if (!from->note[0])
        into->note[0] = '\0';
    into->executions += from->executions;
    into->steps += from->steps;
    into->states += from->states;
    into->findings += from->findings;
}

static uint32_t common_winner(const struct members *into, const struct members *from) {
    const struct member_row *a = members_winner(into), *b = members_winner(from);
    return a != NULL && b != NULL && strcmp(a->name, b->name) == 0 ? into->winner : 0;
}

void members_merge(struct members *into, const struct members *from) {
    into->winner = common_winner(into, from);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t row = members_row(into, from->rows[i].name);
        if (row > 0)
            merge_row(&into->rows[row - 1], &from->rows[i]);
        else if (into->count < MEMBERS_MAX)
            into->rows[into->count++] = from->rows[i];
    }
    into->executions += from->executions;
    into->steps += from->steps;
}
