/* finding.c - the table behind finding.h, and what makes two findings the same. */
#include "execution/finding.h"

#include <string.h>

#include "base/check.h"
#include "execution/waits.h"

/* The column of facts. */
enum { ENDS = 0, GOES_ON = 1, RACES = 2 };

static const struct finding_info infos[FINDING_KINDS] = {
#define FINDING(kind, name, title, facts, help) \
    [FINDING_##kind] = {name, title, help, ((facts)&GOES_ON) != 0, ((facts)&RACES) != 0},
#include "execution/finding_kinds.def"
#undef FINDING
};

const struct finding_info *finding_info(enum finding_kind kind) {
    CHECK(kind < FINDING_KINDS);
    return &infos[kind];
}

enum finding_kind finding_kind_named(const char *name) {
    enum finding_kind kind = 0;
    while (kind < FINDING_KINDS && strcmp(infos[kind].name, name) != 0)
        kind++;
    return kind;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* The places are added, because the two accesses of a race, or the tasks of a deadlock, come in any
 * order. */
uint64_t finding_signature(const struct finding *finding) {
    uint64_t places = 0;
    /* if there is a cycle, the other tasks only wait for it */
    bool cycle = waits_cycle(finding) != NULL;
    if (finding->place_varies)
        return mix(mix(4, finding->kind), finding->task);
    for (uint32_t i = 0; i < finding->stack_count; i++)
        places += mix(1, finding->stacks[i].pc);
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (!cycle || waits_in_cycle(finding, &finding->waits[i]))
            places += mix(2, finding->waits[i].op.pc);
    return mix(mix(3, finding->kind), places);
}
