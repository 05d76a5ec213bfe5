/* walk.c - see walk.h. */
#include "unit/walk.h"

#include <stdlib.h>

#include "base/check.h"
#include "strategies/strategies.h"

void walk_open(struct walk *walk, const struct script *script, const char *strategy,
               const struct options *options) {
    walk->session = calloc(1, sizeof *walk->session);
    CHECK(walk->session != NULL);
    walk->session->pool = pool_open();
    walk->session->request.options = *options;
    scripted_init(&walk->system, script);
    walk->explorer =
        explorer_open(walk->session, &walk->system.base,
                      strategy != NULL ? strategy_named(strategy) : strategy_deciding(options),
                      &replay_strategy, NULL, 0);
}

void walk_close(struct walk *walk) {
    pool_close(walk->session->pool);
    free(walk->session);
}

uint64_t walk_begun(const struct walk *walk) {
    return counters_begun(&walk->session->result.counters);
}
