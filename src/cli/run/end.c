/* end.c - the end of `heddle run`: a judgement, its causes, and the end of all outputs. */
#include "cli/explain/conclude.h"
#include "cli/explain/rounds.h"
#include "cli/run/parts.h"
#include "cli/base/say.h"
#include "cli/base/version.h"
#include "cli/outputs/outputs.h"
#include "cli/names/unseen.h"

/* Names cost time, so they are looked up only if an output shows them. */
static void find_causes(struct run *run, const struct judgement *judgement) {
    rounds_look_at_last(run->session);
    run->view.explain = run->options.verbose || tips_wanted(run->session, judgement);
    bool read = run->outputs.needs & OUTPUT_NEEDS_CAUSES ||
                (!run->options.quiet && (run->view.explain || run->options.show_races));
    if (!read)
        return;
    findings_symbols(&run->findings);
    causes_init(&run->causes, &run->findings.source);
    if (run->view.explain && run->stages.count == 1)
        run->view.tip_count = tips_find(run->tips, &run->causes, judgement, &run->findings.source);
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

static bool end_outputs(struct run *run, const struct judgement *judgement) {
    const struct counters *counters = &run->session->result.counters;
    const struct ending_count counts[] = {{"executions", counters->executions},
                                          {"transitions", counters->transitions},
                                          {"steps", counters->steps},
                                          {"depth_max", counters->depth_max},
                                          {"tasks_max", counters->tasks_max}};
    const struct ending ending = {
        .kind = ending_of(judgement->verdict),
        .version = HEDDLE_VERSION,
        .program = run->program.path,
        .arguments = run->arguments,
        .command = run->command,
        .directory = run->directory,
        .verdict = verdict_info(judgement->verdict)->name,
        .sentence = judgement->sentence,
        .exit_code = verdict_info(judgement->verdict)->exit_code,
        .strategy = run->session->request.options.strategy,
        .started = run->started,
        .seconds = run->supervision.seconds,
        .counts = counts,
        .count_count = sizeof counts / sizeof *counts,
        .findings = &run->findings.reported,
        .suppressed = &run->findings.suppressed,
    };
    return outputs_end(&run->outputs, &ending);
}

static void keep_in_corpus(struct run *run) {
    const struct reported_list *reported = &run->findings.reported;
    for (uint32_t i = 0; run->corpus.path != NULL && i < reported->count; i++)
        if (reported->at[i].trace != NULL)
            corpus_keep(&run->corpus, reported->at[i].trace);
}

struct judgement run_judge(struct run *run) {
    struct result *result = &run->session->result;
    result->found.reported = findings_unsuppressed(&run->findings);
    result->found.suppressed = run->findings.suppressed.count;
    unseen_find(result);
    return conclude(run->session, findings_symbols(&run->findings));
}

int run_finish(struct run *run) {
    stages_before_judgement(run);
    struct judgement judgement = run_judge(run);
    stages_end(run, &judgement);
    find_causes(run, &judgement);
    pairs_init(&run->pairs, &run->findings.source, &judgement);
    run->view.judgement = &judgement;
    keep_in_corpus(run);
    int code = verdict_info(judgement.verdict)->exit_code;
    /* A bug is a bug, whatever happens afterwards. */
    if (!end_outputs(run, &judgement) && judgement.verdict != VERDICT_BUG)
        code = EXIT_INTERNAL;
    causes_destroy(&run->causes);
    pairs_destroy(&run->pairs);
    findings_destroy(&run->findings);
    suppressions_destroy(&run->suppressions);
    corpus_close(&run->corpus);
    return code;
}
