/* json.c - see json.h. Written through jansson; bytes that are not UTF-8 become question marks, since
 * a result must not be lost for the name of a file. */
#include "cli/json.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/options.h"
#include "cli/version.h"

enum { RACES_MAX = 100, PAIRS_MAX = 1000 };

static json_t *text_value(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *ascii = strdup(text);
    CHECK(ascii);
    for (char *at = ascii; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

static void set(json_t *object, const char *key, json_t *value) {
    CHECK(json_object_set_new(object, key, value) == 0);
}

static void set_text(json_t *object, const char *key, const char *text) {
    set(object, key, text_value(text));
}

/* JSON numbers beyond 2^63 are nobody's friend; no counter gets there. */
static void set_count(json_t *object, const char *key, uint64_t count) {
    set(object, key, json_integer((json_int_t)(count <= INT64_MAX ? count : INT64_MAX)));
}

static json_t *place_value(const char *function, const char *file, uint32_t line) {
    if (!function[0] && !file[0])
        return json_null();
    json_t *place = json_object();
    set_text(place, "function", function);
    set_text(place, "file", file);
    set_count(place, "line", line);
    return place;
}

static void set_counters(json_t *root, const struct session_counters *counters) {
    set_count(root, "executions", counters->executions);
    set_count(root, "final_states", counters->final_states);
    set_count(root, "blocked_executions", counters->blocked_executions);
    set_count(root, "idle_executions", counters->idle_executions);
    set_count(root, "deep_executions", counters->deep_executions);
    set_count(root, "dropped_executions", counters->dropped_executions);
    set_count(root, "cut_executions", counters->cut_executions);
    set_count(root, "seen_executions", counters->seen_executions);
    set_count(root, "transitions", counters->transitions);
    set_count(root, "steps", counters->steps);
    set_count(root, "depth_max", counters->depth_max);
    set_count(root, "tasks_max", counters->tasks_max);
}

static json_t *strata_value(const struct session *session) {
    const struct strata *strata = &session->strata;
    const char *unit = options_strata(&session->options);
    json_t *list = json_array();
    for (uint32_t i = 0; i < strata_rows(strata); i++) {
        struct stratum row = strata_row(strata, i, &session->counters);
        json_t *entry = json_object();
        set_count(entry, unit, row.bound);
        set_count(entry, "states", row.states);
        set_count(entry, "transitions", row.transitions);
        set_count(entry, "schedules", row.executions);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

/* A search in strata. `schedules` are complete executions. */
static void set_strata(json_t *root, const struct session *session) {
    const struct strata *strata = &session->strata;
    if (!strata->on)
        return;
    set_text(root, "explorer", session->explorer_name);
    set_count(root, "states", strata->states);
    set_count(root, "schedules", session->counters.executions);
    set(root, "strata", strata_value(session));
    set_count(root, "strata_completed", strata->completed);
    set_count(root, "frontier", strata->frontier);
    set_count(root, "frontier_lost", strata->frontier_lost);
    set_count(root, "state_bytes", strata->bytes_max);
}

/* Beyond what a double counts exactly it is a real. */
static void set_estimate(json_t *object, const char *key, double number) {
    bool exact = number < 9e15;
    set(object, key, exact ? json_integer((json_int_t)(number + 0.5)) : json_real(number));
}

static json_t *estimate_value(const struct session *session) {
    struct estimate_left left;
    if (session->exhausted || !estimate_read(&session->estimate, session_begun_now(session), &left))
        return json_null();
    json_t *object = json_object();
    set_estimate(object, "total", left.total);
    set_estimate(object, "left", left.left);
    set_estimate(object, "low", left.low);
    set_estimate(object, "high", left.high);
    return object;
}

/* The bound of the last search, and the largest one that was completed. */
static json_t *bound_value(const struct session *session) {
    struct bound bound = deepen_bound(session);
    bool deepens = session->options.deepen != BOUND_NONE;
    if (bound.kind == BOUND_NONE)
        return json_null();
    json_t *object = json_object(), *completed = json_null();
    if (deepens && session->deepening.completed > 0)
        completed = json_integer((json_int_t)session->deepening.completed - 1);
    else if (!deepens && session->exhausted)
        completed = json_integer((json_int_t)bound.limit);
    set_text(object, "name", bound_name(bound.kind));
    set_count(object, "limit", bound.limit);
    set(object, "completed", completed);
    return object;
}

/* By what the strategy draws from: {"delays": 2, "samples": 109, ...} */
static json_t *samples_value(const struct session *session) {
    const struct sampling *sampling = &session->sampling;
    const char *unit = options_strata(&session->options);
    if (sampling->count == 0)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < sampling->count && i < SAMPLING_ROWS; i++) {
        json_t *entry = json_object();
        set_count(entry, unit, sampling->rows[i].stratum);
        set_count(entry, "samples", sampling->rows[i].samples);
        set_count(entry, "executions", sampling->rows[i].executions);
        CHECK(json_array_append_new(list, entry) == 0);
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
        set_text(entry, "name", row->name);
        set_count(entry, "executions", row->executions);
        set_count(entry, "steps", row->steps);
        set_count(entry, "states", row->states);
        set_count(entry, "findings", row->findings);
        set_text(entry, "left", row->note);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

/* The schedule, and what was learnt by trying others. */
static void set_evidence(json_t *entry, const struct finding_note *note) {
    static const char *const words[SMALLNESSES] = {
        [SMALLNESS_TRIED] = "tried", [SMALLNESS_PROVEN] = "proven"};
    const char *smallest = words[note->evidence.smallness];
    set_count(entry, "switches", note->switches);
    set(entry, "smallest", smallest ? text_value(smallest) : json_null());
    set(entry, "critical",
        note->evidence.critical ? json_integer(note->evidence.critical) : json_null());
    set(entry, "passing", json_boolean(note->passing));
}

static json_t *findings_value(const struct findings *findings) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding_note *note = &findings->notes[i];
        json_t *entry = json_object();
        set_text(entry, "kind", finding_info(note->kind)->name);
        set_text(entry, "message", note->message);
        set(entry, "place", place_value(note->function, note->file, note->line));
        set(entry, "trace", note->trace ? text_value(note->trace) : json_null());
        set_evidence(entry, note);
        if (note->found_by[0])
            set_text(entry, "found_by", note->found_by);
        if (note->delays >= 0)
            set_count(entry, "delays", (uint64_t)note->delays);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

static json_t *ledger_value(const struct session *session, struct symbols *symbols) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < session->ledger_count; i++) {
        const struct ledger_entry *from = &session->ledger[i];
        struct symbols_frame frames[SYMBOLS_INLINED_MAX];
        json_t *entry = json_object(), *place = json_null();
        if (from->pc) {
            symbols_frames(symbols, from->pc, frames);
            place = place_value(frames[0].function, frames[0].file, frames[0].line);
        }
        set_text(entry, "call", from->call);
        set_text(entry, "why", from->why);
        set(entry, "place", place);
        set_count(entry, "count", from->count);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

/* --- why the search is as large as it is --- */

static json_t *frame_value(const struct trace_frame *frame) {
    return frame ? place_value(frame->function, frame->file, frame->line) : json_null();
}

static const char *cause_name(uint8_t tag) {
    return tag == CHOICE_SCHEDULE ? "race" : choice_tag_name(tag);
}

static json_t *races_value(const struct causes *causes) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < causes->count && i < RACES_MAX; i++) {
        const struct cause *cause = &causes->list[i];
        json_t *entry = json_object(), *places = json_array();
        for (uint32_t side = 0; side < 2; side++)
            CHECK(json_array_append_new(places, frame_value(cause->places[side])) == 0);
        set_text(entry, "cause", cause_name(cause->row->tag));
        set_text(entry, "object", cause->object);
        set_text(entry, "type", cause->noun);
        set(entry, "places", places);
        set_count(entry, "count", cause->count);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

static json_t *side_value(const struct causes *causes, const struct event *event) {
    const struct trace *trace = &causes->trace;
    const char *object = trace_object_name(trace, event->op.object);
    json_t *side = json_object();
    set_count(side, "task", event->task);
    set_text(side, "function", trace->tasks[event->task].function);
    set_text(side, "operation", op_info(event->op.kind)->name);
    set_text(side, "object", object ? object : "");
    set(side, "place", frame_value(trace_place(trace, event->stack)));
    return side;
}

static json_t *note_value(const struct causes *causes, uint32_t number) {
    const struct branch_note *note = &causes->branches->notes[number];
    json_t *entry = json_object();
    set_count(entry, "execution", note->execution);
    set_text(entry, "cause", cause_name(note->tag));
    set(entry, "first", side_value(causes, causes_first(causes, number)));
    if (note->tag == CHOICE_SCHEDULE)
        set(entry, "second", side_value(causes, causes_second(causes, number)));
    else
        set_count(entry, "value", note->value);
    return entry;
}

static json_t *branches_value(const struct causes *causes, bool one_by_one) {
    const struct branches *branches = causes->branches;
    if (branches == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    set_count(object, "planned", branches->planned);
    if (!one_by_one) {
        json_decref(list);
        return object;
    }
    for (uint32_t i = 0; i < branches->note_count; i++)
        CHECK(json_array_append_new(list, note_value(causes, i)) == 0);
    set(object, "list", list);
    set_count(object, "left_out", branches->planned - branches->note_count);
    return object;
}

/* --- coverage --- */

static json_t *pair_side(const struct pair *pair, uint32_t side) {
    json_t *object = json_object();
    set_text(object, "operation", op_info(pair->kinds[side])->name);
    set(object, "place", frame_value(pair->places[side]));
    return object;
}

static json_t *pair_value(const struct pair *pair) {
    json_t *entry = json_object();
    set_text(entry, "object", pair->object);
    set(entry, "first", pair_side(pair, 0));
    set(entry, "second", pair_side(pair, 1));
    set_count(entry, "first_before_second", pair->orders[0]);
    set_count(entry, "second_before_first", pair->orders[1]);
    return entry;
}

static json_t *coverage_value(const struct pairs *pairs) {
    if (pairs->coverage == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    for (uint32_t i = 0; i < pairs->count && i < PAIRS_MAX; i++)
        CHECK(json_array_append_new(list, pair_value(&pairs->list[i])) == 0);
    set_count(object, "pairs", pairs->count);
    set_count(object, "both", pairs->both);
    set(object, "final", json_boolean(pairs->final));
    set_count(object, "executions", pairs->coverage->executions);
    set_count(object, "executions_left_out", pairs->coverage->left_out);
    set(object, "table_full", json_boolean(pairs->coverage->unlisted > 0));
    set(object, "list", list);
    return object;
}

static json_t *tips_value(const struct tip *tips, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = json_object();
        set_text(entry, "name", tips[i].name);
        set_text(entry, "text", tips[i].text);
        CHECK(json_array_append_new(list, entry) == 0);
    }
    return list;
}

/* --- the run --- */

/* The options that were in force, by name, as text. */
static json_t *options_value(const struct run_options *options) {
    const struct settings settings = {.table = run_settings, .values = (void *)options};
    json_t *object = json_object();
    for (const struct setting *row = run_settings; row->name != NULL; row++) {
        char text[PATH_MAX];
        if (!options_is_set(options, row))
            continue;
        settings_format(&settings, row, text, sizeof text);
        set_text(object, row->name, text);
    }
    return object;
}

static json_t *arguments_value(char *const *arguments) {
    json_t *list = json_array();
    for (; *arguments != NULL; arguments++)
        CHECK(json_array_append_new(list, text_value(*arguments)) == 0);
    return list;
}

static json_t *run_value(const struct json_run *run) {
    const struct session *session = run->supervision->session;
    const struct verdict_info *verdict = verdict_info(run->judgement->verdict);
    json_t *root = json_object();
    set_text(root, "heddle", HEDDLE_VERSION);
    set_text(root, "verdict", verdict->name);
    set(root, "complete", json_boolean(run->judgement->complete));
    set_count(root, "exit_code", (uint64_t)verdict->exit_code);
    set_text(root, "message", run->judgement->sentence);
    set_text(root, "program", run->program->path);
    set(root, "arguments", arguments_value(run->arguments));
    set(root, "instrumented", json_boolean(run->program->linked));
    set_text(root, "strategy", session->options.strategy);
    set_count(root, "seed", session->options.seed);
    set(root, "bound", bound_value(session));
    set_counters(root, &session->counters);
    set(root, "samples", samples_value(session));
    set(root, "members", members_value(&session->members));
    set_strata(root, session);
    set(root, "estimate", estimate_value(session));
    set(root, "seconds", json_real(run->supervision->seconds));
    set(root, "cpu_seconds", json_real(run->supervision->cpu_seconds));
    set(root, "memory_kb", json_integer((json_int_t)run->supervision->memory_kb));
    set(root, "findings", findings_value(run->findings));
    set(root, "uncontrolled", ledger_value(session, run->symbols));
    set(root, "branches", branches_value(run->causes, run->options->show_races));
    set(root, "races", races_value(run->causes));
    set(root, "coverage", coverage_value(run->pairs));
    set(root, "tips", tips_value(run->tips, run->tip_count));
    set(root, "options", options_value(run->options));
    return root;
}

bool json_write(const struct json_run *run, FILE *out) {
    json_t *root = run_value(run);
    bool ok =
        json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    json_decref(root);
    return ok;
}
