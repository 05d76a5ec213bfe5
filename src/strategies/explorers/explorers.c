/* explorers.c - the table behind explorers.h. */
#include "strategies/explorers/explorers.h"

#include <string.h>

const struct heddle_explorer *const explorers[] = {
    &rr_explorer, &rtc_explorer, &prr_explorer, &random_explorer, NULL,
};

static const struct heddle_explorer *offered;
static const char *offered_name;

void explorer_offer(const char *name, const struct heddle_explorer *custom) {
    offered = custom;
    offered_name = name;
}

const struct heddle_explorer *explorer_named(const char *name) {
    if (offered != NULL && strcmp(offered_name, name) == 0)
        return offered;
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
