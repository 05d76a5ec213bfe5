/* finding.c - the table behind finding.h, and what makes two findings the same. */
#include "trace/finding.h"

#include <string.h>

#include "base/check.h"
#include "trace/waits.h"

enum { ENDS, GOES_ON };

static const struct finding_info infos[FINDING_KINDS] = {
#define FINDING(kind, name, title, goes_on, help) [FINDING_##kind] = {name, title, help, goes_on},
#include "trace/finding_kinds.def"
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

/* Places are combined by addition: the two accesses of a race, or the tasks of a deadlock, come in
 * either order. */
uint64_t finding_signature(const struct finding *finding) {
    uint64_t places = 0;
    bool cycle = waits_cycle(finding) != NULL; /* then the others only wait for it */
    if (finding->place_varies)
        return mix(mix(4, finding->kind), finding->task);
    for (uint32_t i = 0; i < finding->stack_count; i++)
        places += mix(1, finding->stacks[i].pc);
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (!cycle || waits_in_cycle(finding, &finding->waits[i]))
            places += mix(2, finding->waits[i].op.pc);
    return mix(mix(3, finding->kind), places);
}
