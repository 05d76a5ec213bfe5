/* found.c - see found.h. */
#include "engine/found.h"

static bool has(const struct found *found, const struct finding *finding) {
    uint64_t signature = finding_signature(finding);
    for (const struct session_finding *at = found->first; at != NULL; at = at->next)
        if (finding_signature(&at->finding) == signature)
            return true;
    return false;
}

/* The supervisor may read the list at any time, so a finding is complete before it is linked. */
void found_append(struct found *found, struct session_finding *added) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (found->last != NULL)
        found->last->next = added;
    else
        found->first = added;
    found->last = added;
    found->count++;
}

struct session_finding *found_add(struct found *found, const struct session_finding *finding,
                                  struct pool *pool) {
    if (has(found, &finding->finding))
        return NULL;
    if (found->count == FOUND_MAX) {
        found->lost = true;
        return NULL;
    }
    struct session_finding *added = pool_alloc(pool, sizeof *added);
    *added = *finding;
    added->next = NULL;
    execution_init(&added->execution, pool);
    execution_copy(&added->execution, &finding->execution);
    found_append(found, added);
    return added;
}
