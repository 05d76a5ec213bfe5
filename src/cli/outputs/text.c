/* text.c - see text.h. */
#include "cli/outputs/text.h"

#include <unistd.h>

#include "cli/base/say.h"
#include "cli/explain/races.h"
#include "cli/outputs/summary.h"
#include "reports/describe.h"
#include "reports/text.h"

/* --- a finding --- */

static void write_report(const struct output_run *run, const struct reported *finding,
                         const struct trace *trace, const struct style *style, FILE *out) {
    char command[REPLAY_SIZE];
    bool verbose = run->source->options->verbose;
    const struct session *session = run->source->session; /* NULL in `heddle report` */
    struct text_view view = {
        .columns = {.style = style, .all = verbose, .source = verbose},
        .pid = session != NULL ? session->live.process.pid : getpid(),
    };
    if (finding->trace != NULL)
        view.replay_command = say_replay(finding->trace, command);
    text_report(trace, &view, out);
}

char *text_of_report(const struct output_run *run, const struct reported *finding,
                     const struct trace *trace) {
    struct wrap_draft draft;
    write_report(run, finding, trace, style_none(), wrap_draft(&draft));
    return wrap_drafted(&draft);
}

static void add(struct output *self, const struct reported *finding, const struct trace *trace) {
    if (finding->because != NULL)
        return;
    if (self->run->reported->count > 1)
        fputc('\n', stdout);
    write_report(self->run, finding, trace, style_of(stdout), stdout);
    if (finding->found_by != NULL)
        printf("found by %s\n", finding->found_by);
    if (finding->delays >= 0)
        printf("found by %d delay%s from what the explorer prescribes\n", finding->delays,
               finding->delays == 1 ? "" : "s");
}

/* --- the end --- */

static void print_again(const struct reported_list *reported) {
    uint32_t again = 0;
    for (uint32_t i = 0; i < reported->count; i++)
        again += reported->at[i].again;
    if (again > 0)
        printf("  the same     was found %u more time%s, at other instructions\n", again,
               again == 1 ? "" : "s");
}

/* Prints the strategy, the time and the verdict of each stage before the last one. */
static void print_stages(const struct stages *stages) {
    for (uint32_t i = 0; i + 1 < stages->count; i++) {
        const struct stage *stage = &stages->list[i];
        printf("  before       %s, %.2f s: ", stage->strategy, stage->seconds);
        wrap_text(stage->judgement.sentence, 30, 15, stdout);
        putchar('\n');
    }
}

/* Which suppressions hid how many findings; with `all`, also those that hid nothing. */
static void print_suppressions(const struct suppressions *suppressions, bool all) {
    for (uint32_t i = 0; i < suppressions->count; i++) {
        const struct suppression *at = &suppressions->list[i];
        if (at->used > 0)
            printf("  suppressed   %u by ", at->used);
        else if (all)
            fputs("  suppressed   nothing by ", stdout);
        if (at->used > 0 || all) {
            describe_text(at->text, stdout);
            printf(" (line %u)\n", at->line);
        }
    }
}

static void print_search(const struct output_run *run) {
    const struct run_options *options = run->source->options;
    if (options->engine.coverage)
        pairs_print(run->pairs, stdout);
    if (run->explain || options->show_races)
        races_print_causes(run->causes, stdout);
    races_print_tips(run->tips, run->tip_count, stdout);
}

static void print_result(const struct output_run *run) {
    const struct collect_source *source = run->source;
    if (run->reported->count)
        fputc('\n', stdout);
    if (source->options->show_races)
        races_show(run->causes, stdout);
    summary_print(run->judgement, run->supervision, source->program, source->symbols, stdout);
    print_stages(run->stages);
    print_again(run->reported);
    print_suppressions(run->suppressions, source->options->verbose);
    corpus_print(run->corpus, stdout);
    print_search(run);
}

/* A program that cannot be run and an error of Heddle are one line on stderr. All else is a
 * result. */
static bool is_result(enum verdict verdict) {
    return verdict != VERDICT_UNSUPPORTED && verdict != VERDICT_ERROR && verdict != VERDICT_USAGE;
}

static bool end(struct output *self, const struct ending *ending) {
    const struct output_run *run = self->run;
    enum verdict verdict = run->judgement->verdict;
    bool quiet = run->source->options->quiet;
    if (!is_result(verdict) || (quiet && verdict == VERDICT_UNCONTROLLED))
        say_error(0, "%s", ending->sentence);
    else if (!quiet)
        print_result(run);
    for (uint32_t i = 0; i < run->reported->count; i++)
        fputs(run->reported->at[i].summary, stdout);
    return true;
}

const struct output_ops text_output = {.add = add, .end = end};
