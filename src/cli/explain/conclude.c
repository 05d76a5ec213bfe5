/* conclude.c - see conclude.h. */
#include "cli/explain/conclude.h"

#include <stdio.h>

#include "cli/names/collect.h"
#include "cli/supervise/supervise.h"
#include "strategies/strategies.h"

static void name_place(struct symbols *symbols, uint64_t pc, char place[FAILURE_PLACE]) {
    char text[PLACE_SIZE];
    snprintf(place, FAILURE_PLACE, "%s", collect_place(symbols, pc, text));
}

struct judgement conclude(struct session *session, struct symbols *symbols) {
    const struct options *options = &session->request.options;
    struct result *result = &session->result;
    supervise_excuse_kill(session);
    name_place(symbols, result->failure.pc, result->failure.place);
    name_place(symbols, result->difference.pc, result->difference.place);
    return judge(strategy_named(options->strategy), options, result);
}
