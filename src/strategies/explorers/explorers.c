/* explorers.c - the table behind explorers.h. */
#include "strategies/explorers/explorers.h"

#include <string.h>

const struct heddle_explorer *const explorers[] = {
    &rr_explorer, &rtc_explorer, &prr_explorer, &random_explorer, NULL,
};

const struct heddle_explorer *explorer_named(const char *name) {
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
