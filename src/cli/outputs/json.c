/* json.c - see json.h. */
#include "cli/outputs/json.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/outputs/json_parts.h"
#include "cli/base/version.h"
#include "reports/json_text.h"
#include "trace/whole_file.h"

json_t *json_place(const char *function, const char *file, uint32_t line) {
    if (!function[0] && !file[0])
        return json_null();
    json_t *place = json_object();
    json_put_text(place, "function", function);
    json_put_text(place, "file", file);
    json_put_count(place, "line", line);
    return place;
}

/* Facts about the schedule, some of which were learnt by trying others. */
static void set_evidence(json_t *entry, const struct reported *finding) {
    static const char *const words[SMALLNESSES] = {
        [SMALLNESS_TRIED] = "tried", [SMALLNESS_TRADED] = "traded", [SMALLNESS_PROVEN] = "proven"};
    const char *smallest = words[finding->evidence.smallness];
    json_put_count(entry, "switches", finding->switches);
    json_put(entry, "smallest", smallest ? json_text(smallest) : json_null());
    json_put(entry, "critical",
             finding->evidence.critical ? json_integer(finding->evidence.critical) : json_null());
    json_put(entry, "passing", json_boolean(finding->passing));
}

static json_t *findings_value(const struct reported_list *findings) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct reported *finding = &findings->at[i];
        json_t *entry = json_object();
        json_put_text(entry, "kind", finding_info(finding->kind)->name);
        json_put_text(entry, "fingerprint", finding->fingerprint);
        json_put_count(entry, "again", finding->again);
        if (finding->because != NULL)
            json_put_text(entry, "suppression", finding->because->text);
        json_put_text(entry, "message", finding->message);
        json_put(entry, "place", json_place(finding->function, finding->file, finding->line));
        json_put(entry, "trace", finding->trace ? json_text(finding->trace) : json_null());
        set_evidence(entry, finding);
        json_put(entry, "wrote", finding->wrote ? json_text(finding->wrote) : json_null());
        if (finding->found_by != NULL)
            json_put_text(entry, "found_by", finding->found_by);
        if (finding->delays >= 0)
            json_put_count(entry, "delays", (uint64_t)finding->delays);
        json_push(list, entry);
    }
    return list;
}

static json_t *ledger_value(const struct session *session, struct symbols *symbols) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < session->result.ledger.count; i++) {
        const struct ledger_entry *from = &session->result.ledger.entries[i];
        struct symbols_frame frames[SYMBOLS_INLINED_MAX];
        json_t *entry = json_object(), *place = json_null();
        if (from->pc) {
            symbols_frames(symbols, from->pc, frames);
            place = json_place(frames[0].function, frames[0].file, frames[0].line);
        }
        json_put_text(entry, "call", from->call);
        json_put_text(entry, "why", from->why);
        json_put(entry, "place", place);
        json_put_count(entry, "count", from->count);
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

/* The stages that are over, if the run went over from one to another. */
static json_t *stages_value(const struct stages *stages) {
    json_t *list = json_array();
    for (uint32_t i = 0; stages->count > 1 && i < stages->count; i++) {
        const struct stage *stage = &stages->list[i];
        json_t *entry = json_object();
        json_put_text(entry, "strategy", stage->strategy);
        json_put_text(entry, "verdict", verdict_info(stage->judgement.verdict)->name);
        json_put_text(entry, "message", stage->judgement.sentence);
        json_put_count(entry, "executions", stage->executions);
        json_put_count(entry, "states", stage->states);
        json_put_count(entry, "findings", stage->findings);
        json_put(entry, "seconds", json_real(stage->seconds));
        json_push(list, entry);
    }
    return list;
}

static json_t *run_value(const struct output_run *run) {
    const struct session *session = run->supervision->session;
    const struct verdict_info *verdict = verdict_info(run->judgement->verdict);
    json_t *root = json_object();
    json_put_text(root, "heddle", HEDDLE_VERSION);
    json_put_text(root, "verdict", verdict->name);
    json_put(root, "complete", json_boolean(run->judgement->complete));
    json_put_count(root, "exit_code", (uint64_t)verdict->exit_code);
    json_put_text(root, "message", run->judgement->sentence);
    json_put(root, "left_out", left_out_value(&run->judgement->omissions));
    json_put_text(root, "program", run->source->program->path);
    json_put(root, "arguments", arguments_value(run->source->arguments));
    json_put(root, "instrumented", json_boolean(run->source->program->linked));
    json_put_text(root, "strategy", session->request.options.strategy);
    json_put_count(root, "seed", session->request.options.seed);
    json_put(root, "stages", stages_value(run->stages));
    json_put_search(root, run);
    json_put(root, "seconds", json_real(run->supervision->seconds));
    json_put(root, "cpu_seconds", json_real(run->supervision->cpu_seconds));
    json_put(root, "memory_kb", json_integer((json_int_t)run->supervision->memory_kb));
    json_put(root, "findings", findings_value(run->reported));
    json_put(root, "suppressed", findings_value(run->suppressed));
    json_put(root, "corpus", corpus_value(run->corpus));
    json_put(root, "uncontrolled", ledger_value(session, run->source->symbols));
    json_put_causes(root, run);
    json_put(root, "options", options_value(run->source->options));
    return root;
}

bool json_write(const struct output_run *run, FILE *out) {
    json_t *root = run_value(run);
    bool ok =
        json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    json_decref(root);
    return ok;
}

/* --- the file --- */

static int prepare(struct output *self) {
    self->needs = OUTPUT_NEEDS_CAUSES;
    return output_open_file(self);
}

static bool write_file(const struct output *self, const struct output_run *run) {
    struct wrap_draft draft;
    bool good = json_write(run, wrap_draft(&draft));
    return output_write(self, good, &draft);
}

/* Keeps the file up to date during the search, so that nothing is lost if the supervisor is killed
 * as well. */
static void add(struct output *self, const struct reported *finding, const struct trace *trace) {
    struct judgement judgement = {.verdict = VERDICT_BUG};
    struct output_run so_far = *self->run;
    uint32_t count = so_far.reported->count;
    (void)trace;
    if (finding->because != NULL || !whole_file_replaces(self->path))
        return;
    snprintf(judgement.sentence, sizeof judgement.sentence,
             "bug: %u finding%s; the search was not ended", count, count == 1 ? "" : "s");
    so_far.judgement = &judgement;
    write_file(self, &so_far);
}

static bool end(struct output *self, const struct ending *ending) {
    (void)ending;
    return write_file(self, self->run);
}

const struct output_ops json_output = {.open = prepare, .add = add, .end = end};
