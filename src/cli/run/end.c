/* end.c - the end of `heddle run`: a judgement, and what led to it. */
#include "cli/races.h"
#include "cli/rounds.h"
#include "cli/run/parts.h"
#include "cli/say.h"
#include "cli/summary.h"
#include "cli/unseen.h"

/* Names cost time, so they are looked up only if somebody will read them. */
static void find_causes(struct run *run, const struct judgement *judgement) {
    rounds_look_at_last(run->session);
    run->explain = run->options.verbose || tips_wanted(run->session, judgement);
    bool read = run->options.json != NULL || run->options.html != NULL ||
                (!run->options.quiet && (run->explain || run->options.show_races));
    if (!read)
        return;
    findings_symbols(&run->findings);
    causes_init(&run->causes, &run->findings.source);
    if (run->explain)
        run->tip_count = tips_find(run->tips, &run->causes, judgement, &run->findings.source);
}

static void print_search(const struct run *run) {
    if (run->options.engine.coverage)
        pairs_print(&run->pairs, stdout);
    if (run->explain || run->options.show_races)
        races_print_causes(&run->causes, stdout);
    races_print_tips(run->tips, run->tip_count, stdout);
}

/* What cannot be run, and our own bugs, are one line on stderr; the rest is a result. */
static void print_end(struct run *run, const struct judgement *judgement) {
    bool result = judgement->verdict != VERDICT_UNSUPPORTED &&
                  judgement->verdict != VERDICT_ERROR && judgement->verdict != VERDICT_USAGE;
    if (!result)
        say_error(0, "%s", judgement->sentence);
    else if (!run->options.quiet) {
        if (run->findings.count)
            fputc('\n', stdout);
        if (run->options.show_races)
            races_show(&run->causes, stdout);
        summary_print(judgement, &run->supervision, &run->program, findings_symbols(&run->findings),
                      stdout);
        findings_print(&run->findings, run->options.verbose, stdout);
        corpus_print(&run->corpus, stdout);
        print_search(run);
    } else if (judgement->verdict == VERDICT_UNCONTROLLED)
        say_error(0, "%s", judgement->sentence);
    for (uint32_t i = 0; i < run->findings.count; i++)
        fputs(run->findings.notes[i].summary, stdout);
}

int run_finish(struct run *run) {
    struct judgement judgement;
    char error_place[PLACE_SIZE], difference_place[PLACE_SIZE];
    struct symbols *symbols = findings_symbols(&run->findings);
    unseen_find(&run->supervision);
    judge(&judgement, &run->supervision,
          (struct judge_findings){findings_unsuppressed(&run->findings),
                                  run->findings.suppressed_count},
          collect_place(symbols, run->session->error_pc, error_place),
          collect_place(symbols, run->session->difference_pc, difference_place));
    find_causes(run, &judgement);
    pairs_init(&run->pairs, &run->findings.source, &judgement);
    run_keep_findings(run);
    print_end(run, &judgement);
    int code = verdict_info(judgement.verdict)->exit_code;
    /* A bug is a bug, whatever happens afterwards. */
    if (!run_write_files(run, &judgement) && judgement.verdict != VERDICT_BUG)
        code = EXIT_INTERNAL;
    causes_destroy(&run->causes);
    pairs_destroy(&run->pairs);
    findings_destroy(&run->findings);
    suppressions_destroy(&run->suppressions);
    corpus_close(&run->corpus);
    return code;
}
