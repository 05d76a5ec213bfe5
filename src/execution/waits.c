/* waits.c - see waits.h. */
#include "execution/waits.h"

#include <stddef.h>

const struct finding_wait *waits_of(const struct finding *finding, uint32_t task) {
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (finding->waits[i].task == task)
            return &finding->waits[i];
    return NULL;
}

bool waits_in_cycle(const struct finding *finding, const struct finding_wait *wait) {
    const struct finding_wait *at = waits_of(finding, wait->holder);
    for (uint32_t i = 1; at != NULL && at != wait && i < finding->wait_count; i++)
        at = waits_of(finding, at->holder);
    return at == wait;
}

const struct finding_wait *waits_cycle(const struct finding *finding) {
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (waits_in_cycle(finding, &finding->waits[i]))
            return &finding->waits[i];
    return NULL;
}
