/* json.c - see json.h. */
#include "cli/json.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/options.h"
#include "cli/version.h"
#include "reports/json_text.h"
#include "strategies/strategies.h"

enum { RACES_MAX = 100, PAIRS_MAX = 1000 };

static json_t *place_value(const char *function, const char *file, uint32_t line) {
    if (!function[0] && !file[0])
        return json_null();
    json_t *place = json_object();
    json_put_text(place, "function", function);
    json_put_text(place, "file", file);
    json_put_count(place, "line", line);
    return place;
}

static void set_counters(json_t *root, const struct session_counters *counters) {
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
    const struct strata *strata = &session->strata;
    const char *unit = strategy_strata(strategy_named(session->options.strategy));
    json_t *list = json_array();
    for (uint32_t i = 0; i < strata_rows(strata); i++) {
        struct stratum row = strata_row(strata, i, &session->counters);
        json_t *entry = json_object();
        json_put_count(entry, unit, row.bound);
        json_put_count(entry, "states", row.states);
        json_put_count(entry, "transitions", row.transitions);
        json_put_count(entry, "schedules", row.executions);
        json_push(list, entry);
    }
    return list;
}

/* A search in strata. `schedules` are complete executions. */
static void set_strata(json_t *root, const struct session *session) {
    const struct strata *strata = &session->strata;
    if (!strata->on)
        return;
    json_put_text(root, "explorer", session->explorer_name);
    json_put_count(root, "states", strata->states);
    json_put_count(root, "schedules", session->counters.executions);
    json_put(root, "strata", strata_value(session));
    json_put_count(root, "strata_completed", strata->completed);
    json_put_count(root, "frontier", strata->frontier);
    json_put_count(root, "frontier_lost", strata->frontier_lost);
    json_put_count(root, "state_bytes", strata->bytes_max);
}

/* Beyond what a double counts exactly it is a real. */
static void set_estimate(json_t *object, const char *key, double number) {
    bool exact = number < 9e15;
    json_put(object, key, exact ? json_integer((json_int_t)(number + 0.5)) : json_real(number));
}

static json_t *estimate_value(const struct session *session) {
    struct estimate_left left;
    if (session->exhausted || !session_left(session, &left))
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
    struct bound bound = deepen_bound(session);
    bool through = session->exhausted && !omissions_have(omissions, OMISSION_CUT_HIDES);
    bool deepens = session->options.deepen != BOUND_NONE;
    if (bound.kind == BOUND_NONE)
        return json_null();
    json_t *object = json_object(), *completed = json_null();
    if (deepens && deepen_completed(session) > 0)
        completed = json_integer((json_int_t)deepen_completed(session) - 1);
    else if (!deepens && through)
        completed = json_integer((json_int_t)bound.limit);
    json_put_text(object, "name", bound_name(bound.kind));
    json_put_count(object, "limit", bound.limit);
    json_put(object, "completed", completed);
    return object;
}

/* By what the strategy draws from: {"delays": 2, "samples": 109, ...} */
static json_t *samples_value(const struct session *session) {
    const struct sampling *sampling = &session->sampling;
    const char *unit = strategy_strata(strategy_named(session->options.strategy));
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

/* The schedule, and what was learnt by trying others. */
static void set_evidence(json_t *entry, const struct finding_note *note) {
    static const char *const words[SMALLNESSES] = {
        [SMALLNESS_TRIED] = "tried", [SMALLNESS_TRADED] = "traded", [SMALLNESS_PROVEN] = "proven"};
    const char *smallest = words[note->evidence.smallness];
    json_put_count(entry, "switches", note->switches);
    json_put(entry, "smallest", smallest ? json_text(smallest) : json_null());
    json_put(entry, "critical",
             note->evidence.critical ? json_integer(note->evidence.critical) : json_null());
    json_put(entry, "passing", json_boolean(note->passing));
}

static json_t *notes_value(const struct finding_note *notes, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const struct finding_note *note = &notes[i];
        json_t *entry = json_object();
        json_put_text(entry, "kind", finding_info(note->kind)->name);
        json_put_text(entry, "fingerprint", note->fingerprint);
        json_put_count(entry, "again", note->again);
        if (note->because != NULL)
            json_put_text(entry, "suppression", note->because->text);
        json_put_text(entry, "message", note->message);
        json_put(entry, "place", place_value(note->function, note->file, note->line));
        json_put(entry, "trace", note->trace ? json_text(note->trace) : json_null());
        set_evidence(entry, note);
        json_put(entry, "wrote", note->wrote ? json_text(note->wrote) : json_null());
        if (note->found_by[0])
            json_put_text(entry, "found_by", note->found_by);
        if (note->delays >= 0)
            json_put_count(entry, "delays", (uint64_t)note->delays);
        json_push(list, entry);
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
        json_put_text(entry, "call", from->call);
        json_put_text(entry, "why", from->why);
        json_put(entry, "place", place);
        json_put_count(entry, "count", from->count);
        json_push(list, entry);
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
            json_push(places, frame_value(cause->places[side]));
        json_put_text(entry, "cause", cause_name(cause->row->tag));
        json_put_text(entry, "object", cause->object);
        json_put_text(entry, "type", cause->noun);
        json_put(entry, "places", places);
        json_put_count(entry, "count", cause->count);
        json_push(list, entry);
    }
    return list;
}

static json_t *side_value(const struct causes *causes, const struct event *event) {
    const struct trace *trace = &causes->trace;
    const char *object = trace_object_name(trace, event->op.object);
    json_t *side = json_object();
    json_put_count(side, "task", event->task);
    json_put_text(side, "function", trace->tasks[event->task].function);
    json_put_text(side, "operation", op_info(event->op.kind)->name);
    json_put_text(side, "object", object ? object : "");
    json_put(side, "place", frame_value(trace_place(trace, event->stack)));
    return side;
}

static json_t *note_value(const struct causes *causes, uint32_t number) {
    const struct branch_note *note = &causes->branches->notes[number];
    json_t *entry = json_object();
    json_put_count(entry, "execution", note->execution);
    json_put_text(entry, "cause", cause_name(note->tag));
    json_put(entry, "first", side_value(causes, causes_first(causes, number)));
    if (note->tag == CHOICE_SCHEDULE)
        json_put(entry, "second", side_value(causes, causes_second(causes, number)));
    else
        json_put_count(entry, "value", note->value);
    return entry;
}

static json_t *branches_value(const struct causes *causes, bool one_by_one) {
    const struct branches *branches = causes->branches;
    if (branches == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    json_put_count(object, "planned", branches->planned);
    if (!one_by_one) {
        json_decref(list);
        return object;
    }
    for (uint32_t i = 0; i < branches->note_count; i++)
        json_push(list, note_value(causes, i));
    json_put(object, "list", list);
    json_put_count(object, "left_out", branches->planned - branches->note_count);
    return object;
}

/* --- coverage --- */

static json_t *pair_side(const struct pair *pair, uint32_t side) {
    json_t *object = json_object();
    json_put_text(object, "operation", op_info(pair->kinds[side])->name);
    json_put(object, "place", frame_value(pair->places[side]));
    return object;
}

static json_t *pair_value(const struct pair *pair) {
    json_t *entry = json_object();
    json_put_text(entry, "object", pair->object);
    json_put(entry, "first", pair_side(pair, 0));
    json_put(entry, "second", pair_side(pair, 1));
    json_put_count(entry, "first_before_second", pair->orders[0]);
    json_put_count(entry, "second_before_first", pair->orders[1]);
    return entry;
}

static json_t *coverage_value(const struct pairs *pairs) {
    if (pairs->coverage == NULL)
        return json_null();
    json_t *object = json_object(), *list = json_array();
    for (uint32_t i = 0; i < pairs->count && i < PAIRS_MAX; i++)
        json_push(list, pair_value(&pairs->list[i]));
    json_put_count(object, "pairs", pairs->count);
    json_put_count(object, "both", pairs->both);
    json_put(object, "final", json_boolean(pairs->final));
    json_put_count(object, "executions", pairs->coverage->executions);
    json_put_count(object, "executions_left_out", pairs->coverage->left_out);
    json_put(object, "table_full", json_boolean(pairs->coverage->unlisted > 0));
    json_put(object, "list", list);
    return object;
}

static json_t *tips_value(const struct tip *tips, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = json_object();
        json_put_text(entry, "name", tips[i].name);
        json_put_text(entry, "text", tips[i].text);
        json_push(list, entry);
    }
    return list;
}

/* --- the run --- */

/* The omissions of the run: the verdict says nothing about these. */
static json_t *left_out_value(const struct omissions *omissions) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < omissions->count; i++) {
        json_t *entry = json_object();
        json_put_text(entry, "name", omission_name(omissions->list[i].kind));
        json_put_text(entry, "text", omissions->list[i].text);
        json_push(list, entry);
    }
    return list;
}

/* The options that were in force, by name, as text. */
static json_t *options_value(const struct run_options *options) {
    const struct settings settings = {.table = run_settings, .values = (void *)options};
    json_t *object = json_object();
    for (const struct setting *row = run_settings; row->name != NULL; row++) {
        char text[PATH_MAX];
        if (!options_is_set(options, row))
            continue;
        settings_format(&settings, row, text, sizeof text);
        json_put_text(object, row->name, text);
    }
    return object;
}

static json_t *arguments_value(char *const *arguments) {
    json_t *list = json_array();
    for (; *arguments != NULL; arguments++)
        json_push(list, json_text(*arguments));
    return list;
}

static json_t *corpus_value(const struct corpus_directory *corpus) {
    if (corpus->path == NULL)
        return json_null();
    json_t *object = json_object();
    json_put_text(object, "directory", corpus->path);
    json_put_count(object, "followed", corpus->followed);
    json_put_count(object, "failing", corpus->failing);
    json_put_count(object, "unfinished", corpus->unfinished);
    json_put_count(object, "partly", corpus->partly);
    json_put_count(object, "skipped", corpus->skipped);
    json_put_count(object, "kept", corpus->kept);
    return object;
}

static json_t *run_value(const struct json_run *run) {
    const struct session *session = run->supervision->session;
    const struct verdict_info *verdict = verdict_info(run->judgement->verdict);
    json_t *root = json_object();
    json_put_text(root, "heddle", HEDDLE_VERSION);
    json_put_text(root, "verdict", verdict->name);
    json_put(root, "complete", json_boolean(run->judgement->complete));
    json_put_count(root, "exit_code", (uint64_t)verdict->exit_code);
    json_put_text(root, "message", run->judgement->sentence);
    json_put(root, "left_out", left_out_value(&run->judgement->omissions));
    json_put_text(root, "program", run->program->path);
    json_put(root, "arguments", arguments_value(run->arguments));
    json_put(root, "instrumented", json_boolean(run->program->linked));
    json_put_text(root, "strategy", session->options.strategy);
    json_put_count(root, "seed", session->options.seed);
    json_put(root, "bound", bound_value(session, &run->judgement->omissions));
    set_counters(root, &session->counters);
    json_put(root, "samples", samples_value(session));
    json_put(root, "members", members_value(&session->members));
    set_strata(root, session);
    json_put(root, "estimate", estimate_value(session));
    json_put(root, "seconds", json_real(run->supervision->seconds));
    json_put(root, "cpu_seconds", json_real(run->supervision->cpu_seconds));
    json_put(root, "memory_kb", json_integer((json_int_t)run->supervision->memory_kb));
    json_put(root, "findings", notes_value(run->findings->notes, run->findings->count));
    json_put(root, "suppressed",
             notes_value(run->findings->suppressed, run->findings->suppressed_count));
    json_put(root, "corpus", corpus_value(run->corpus));
    json_put(root, "uncontrolled", ledger_value(session, run->symbols));
    json_put(root, "branches", branches_value(run->causes, run->options->show_races));
    json_put(root, "races", races_value(run->causes));
    json_put(root, "coverage", coverage_value(run->pairs));
    json_put(root, "tips", tips_value(run->tips, run->tip_count));
    json_put(root, "options", options_value(run->options));
    return root;
}

bool json_write(const struct json_run *run, FILE *out) {
    json_t *root = run_value(run);
    bool ok =
        json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    json_decref(root);
    return ok;
}
