/* deepen.c - see deepen.h. */
#include "engine/deepen.h"

#include "engine/session.h"

struct bound deepen_bound(const struct session *session) {
    const struct options *options = &session->options;
    if (options->deepen == BOUND_NONE)
        return bound_of(options);
    return (struct bound){options->deepen, session->deepening.limit};
}

uint32_t deepen_completed(const struct session *session) {
    return session->counters.cut_executions == 0 ? session->deepening.completed : 0;
}

struct options deepen_options(const struct session *session) {
    struct options options = session->options;
    bound_set(&options, deepen_bound(session));
    return options;
}

bool deepen_on(struct session *session) {
    struct deepening *deepening = &session->deepening;
    struct bound last = bound_of(&session->options);
    if (session->options.deepen == BOUND_NONE)
        return false;
    deepening->completed = deepening->limit + 1;
    if (!session->bound_cut || (last.kind != BOUND_NONE && deepening->limit >= last.limit))
        return false;
    deepening->limit++;
    deepening->begun = session_begun(&session->counters);
    deepening->executions = session->counters.executions;
    session->bound_cut = false;
    session->estimate = (struct estimate){0};
    return true;
}
