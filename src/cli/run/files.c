/* files.c - what `heddle run` writes: JSON, pages, the graph, the formats of other tools, the corpus. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/graph.h"
#include "cli/html.h"
#include "cli/json.h"
#include "cli/run/parts.h"
#include "cli/say.h"
#include "cli/version.h"
#include "reports/wrap.h"
#include "trace/whole_file.h"

static struct json_run json_of(struct run *run, const struct judgement *judgement) {
    return (struct json_run){judgement,
                             &run->supervision,
                             &run->program,
                             run->arguments,
                             &run->options,
                             &run->findings,
                             findings_symbols(&run->findings),
                             &run->causes,
                             &run->pairs,
                             &run->corpus,
                             run->tips,
                             run->tip_count};
}

static bool write_json(struct run *run, const struct judgement *judgement) {
    const struct json_run json = json_of(run, judgement);
    struct wrap_draft draft;
    return outputs_write(run->options.json, json_write(&json, wrap_draft(&draft)), &draft);
}

void run_keep_json(struct run *run) {
    struct judgement judgement = {.verdict = VERDICT_BUG};
    if (run->options.json == NULL || run->written == run->findings.count ||
        !whole_file_replaces(run->options.json))
        return;
    run->written = run->findings.count;
    snprintf(judgement.sentence, sizeof judgement.sentence,
             "bug: %u finding%s; the search was not ended", run->written,
             run->written == 1 ? "" : "s");
    write_json(run, &judgement);
}

static enum ending_kind ending_of(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_VERIFIED:
    case VERDICT_BOUNDED: return ENDING_PASSED;
    case VERDICT_BUG: return ENDING_FAILED;
    case VERDICT_UNDECIDED:
    case VERDICT_BUDGET: return ENDING_UNDECIDED;
    case VERDICT_USAGE:
    case VERDICT_UNCONTROLLED:
    case VERDICT_UNSUPPORTED:
    case VERDICT_ERROR:
    case VERDICTS: break;
    }
    return ENDING_BROKEN;
}

/* The same as `ending_finding`s, which the caller frees; the texts stay with the notes. */
static struct ending_finding *ending_findings(const struct findings *findings) {
    struct ending_finding *list = calloc(findings->count + 1, sizeof *list);
    CHECK(list);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding_note *note = &findings->notes[i];
        list[i] = (struct ending_finding){.kind = note->kind,
                                          .message = note->message,
                                          .function = note->function,
                                          .file = note->file,
                                          .line = note->line,
                                          .fingerprint = note->fingerprint,
                                          .trace = note->trace,
                                          .report = note->report ? note->report : note->summary};
    }
    return list;
}

static bool close_outputs(struct run *run, const struct judgement *judgement) {
    const struct session_counters *counters = &run->session->counters;
    const struct ending_count counts[] = {{"executions", counters->executions},
                                          {"transitions", counters->transitions},
                                          {"steps", counters->steps},
                                          {"depth_max", counters->depth_max},
                                          {"tasks_max", counters->tasks_max}};
    char directory[PATH_MAX];
    struct ending_finding *findings = ending_findings(&run->findings);
    const struct ending ending = {
        .kind = ending_of(judgement->verdict),
        .version = HEDDLE_VERSION,
        .program = run->program.path,
        .arguments = run->arguments,
        .command = run->command,
        .directory = getcwd(directory, sizeof directory) != NULL ? directory : "",
        .verdict = verdict_info(judgement->verdict)->name,
        .sentence = judgement->sentence,
        .exit_code = verdict_info(judgement->verdict)->exit_code,
        .strategy = run->session->options.strategy,
        .started = run->started,
        .seconds = run->supervision.seconds,
        .counts = counts,
        .count_count = sizeof counts / sizeof *counts,
        .findings = findings,
        .finding_count = run->findings.count,
        .suppressed_count = run->findings.suppressed_count,
    };
    bool good = outputs_close(&run->outputs, &run->options, &ending);
    free(findings);
    return good;
}

void run_keep_findings(struct run *run) {
    for (uint32_t i = 0; run->corpus.path != NULL && i < run->findings.count; i++)
        if (run->findings.notes[i].trace != NULL)
            corpus_keep(&run->corpus, run->findings.notes[i].trace);
}

bool run_write_files(struct run *run, const struct judgement *judgement) {
    const struct json_run json = json_of(run, judgement);
    bool written = run->options.html == NULL || html_write_run(run->options.html, &json);
    if (run->options.graph != NULL)
        written &= graph_write(run->options.graph, &run->findings.source, judgement);
    if (run->options.json != NULL)
        written &= write_json(run, judgement);
    return close_outputs(run, judgement) && written;
}
