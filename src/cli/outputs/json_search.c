/* json_search.c - see json_parts.h: how far the search came. */
#include "cli/outputs/json_parts.h"

#include "reports/json_text.h"
#include "strategies/strategies.h"

static void set_counters(json_t *root, const struct counters *counters) {
    json_put_count(root, "executions", counters->executions);
    json_put_count(root, "final_states", counters->final_states);
    json_put_count(root, "blocked_executions", counters->blocked_executions);
    json_put_count(root, "idle_executions", counters->idle_executions);
    json_put_count(root, "deep_executions", counters->deep_executions);
    json_put_count(root, "dropped_executions", counters->dropped_executions);
    json_put_count(root, "cut_executions", counters->cut_executions);
    json_put_count(root, "seen_executions", counters->seen_executions);
    json_put_count(root, "transitions", counters->transitions);
    json_put_count(root, "steps", counters->steps);
    json_put_count(root, "depth_max", counters->depth_max);
    json_put_count(root, "tasks_max", counters->tasks_max);
}

static json_t *strata_value(const struct session *session) {
    const struct strata *strata = &session->result.reached.strata;
    const char *unit = strategy_strata(strategy_named(session->request.options.strategy));
    json_t *list = json_array();
    for (uint32_t i = 0; i < strata_rows(strata); i++) {
        struct stratum row = strata_row(strata, i, &session->result.counters);
        json_t *entry = json_object();
        json_put_count(entry, unit, row.bound);
        json_put_count(entry, "states", row.states);
        json_put_count(entry, "transitions", row.transitions);
        json_put_count(entry, "schedules", row.executions);
        json_push(list, entry);
    }
    return list;
}

/* For a search in strata. `schedules` is the number of complete executions. */
static void set_strata(json_t *root, const struct session *session) {
    const struct strata *strata = &session->result.reached.strata;
    if (!strata->on)
        return;
    json_put_text(root, "explorer", session->result.explorer_name);
    json_put_count(root, "states", strata->states);
    json_put_count(root, "schedules", session->result.counters.executions);
    json_put(root, "strata", strata_value(session));
    json_put_count(root, "strata_completed", strata->completed);
    json_put_count(root, "frontier", strata->frontier);
    json_put_count(root, "frontier_lost", strata->frontier_lost);
    json_put_count(root, "state_bytes", strata->bytes_max);
}

/* A number that a double cannot hold exactly is written as a real. */
static void set_estimate(json_t *object, const char *key, double number) {
    bool exact = number < 9e15;
    json_put(object, key, exact ? json_integer((json_int_t)(number + 0.5)) : json_real(number));
}

static json_t *estimate_value(const struct session *session) {
    struct estimate_left left;
    if (session->result.search.exhausted || !result_left(&session->result, &left))
        return json_null();
    json_t *object = json_object();
    set_estimate(object, "total", left.total);
    set_estimate(object, "left", left.left);
    set_estimate(object, "low", left.low);
    set_estimate(object, "high", left.high);
    return object;
}

/* The bound of the last search, and the largest one that was completed. */
static json_t *bound_value(const struct session *session, const struct omissions *omissions) {
    struct bound bound = deepen_bound(&session->request.options, &session->result);
    bool through =
        session->result.search.exhausted && !omissions_have(omissions, OMISSION_CUT_HIDES);
    bool deepens = session->request.options.deepen != BOUND_NONE;
    if (bound.kind == BOUND_NONE)
        return json_null();
    json_t *object = json_object(), *completed = json_null();
    if (deepens && deepen_completed(&session->result) > 0)
        completed = json_integer((json_int_t)deepen_completed(&session->result) - 1);
    else if (!deepens && through)
        completed = json_integer((json_int_t)bound.limit);
    json_put_text(object, "name", bound_name(bound.kind));
    json_put_count(object, "limit", bound.limit);
    json_put(object, "completed", completed);
    return object;
}

/* One object for each stratum that the strategy draws from: {"delays": 2, "samples": 109, ...} */
static json_t *samples_value(const struct session *session) {
    const struct sampling *sampling = &session->result.reached.sampling;
    const char *unit = strategy_strata(strategy_named(session->request.options.strategy));
    if (sampling->count == 0)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < sampling->count && i < SAMPLING_ROWS; i++) {
        json_t *entry = json_object();
        json_put_count(entry, unit, sampling->rows[i].stratum);
        json_put_count(entry, "samples", sampling->rows[i].samples);
        json_put_count(entry, "executions", sampling->rows[i].executions);
        json_push(list, entry);
    }
    return list;
}

static json_t *members_value(const struct members *members) {
    if (members->count == 0)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < members->count && i < MEMBERS_MAX; i++) {
        const struct member_row *row = &members->rows[i];
        json_t *entry = json_object();
        json_put_text(entry, "name", row->name);
        json_put_count(entry, "executions", row->executions);
        json_put_count(entry, "steps", row->steps);
        json_put_count(entry, "states", row->states);
        json_put_count(entry, "findings", row->findings);
        json_put_text(entry, "left", row->note);
        json_push(list, entry);
    }
    return list;
}

void json_put_search(json_t *root, const struct output_run *run) {
    const struct session *session = run->source->session;
    json_put(root, "bound", bound_value(session, &run->judgement->omissions));
    set_counters(root, &session->result.counters);
    json_put(root, "samples", samples_value(session));
    json_put(root, "members", members_value(&session->result.reached.members));
    set_strata(root, session);
    json_put(root, "estimate", estimate_value(session));
}
