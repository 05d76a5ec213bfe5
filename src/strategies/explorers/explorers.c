/* explorers.c - the table behind explorers.h. */
#include "strategies/explorers/explorers.h"

#include <string.h>

const struct heddle_explorer *const explorers[] = {
    &rr_explorer, &rtc_explorer, &prr_explorer, &random_explorer, NULL,
};

static const struct heddle_explorer *offered;

void explorer_offer(const struct heddle_explorer *custom) {
    offered = custom;
}

const struct heddle_explorer *explorer_named(const char *name) {
    if (offered != NULL && strcmp(offered->name, name) == 0)
        return offered;
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
