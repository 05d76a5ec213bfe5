/* summary.c - see summary.h. Lines without information are left out. */
#include "cli/outputs/summary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/names/collect.h"
#include "cli/options/options.h"
#include "cli/base/say.h"
#include "reports/wrap.h"
#include "reports/style.h"
#include "strategies/strategies.h"

enum { LABEL = 15 }; /* columns before the text of a line */

static void print_count(uint64_t count, const char *what, FILE *out) {
    char text[GROUPED_SIZE];
    if (count)
        fprintf(out, ", %s %s", say_grouped(count, text), what);
}

static void print_counts(const struct counters *counters, FILE *out) {
    char text[GROUPED_SIZE], count[COUNT_SIZE];
    fprintf(out, "  executions   %s complete", say_grouped(counters->executions, text));
    print_count(counters->blocked_executions, "blocked by sleep sets", out);
    print_count(counters->idle_executions, "cut where a loop only waits", out);
    print_count(counters->deep_executions, "ended at the depth of their stratum", out);
    print_count(counters->dropped_executions, "dropped by an assumption", out);
    print_count(counters->cut_executions, "cut off", out);
    print_count(counters->seen_executions, "ended in a state seen before", out);
    if (counters->final_states > 0)
        fprintf(out, "; in %s%s", say_grouped(counters->final_states, text),
                counters->final_states == 1 ? " state" : " different states");
    fprintf(out, "\n  transitions  %s", say_grouped(counters->transitions, text));
    fprintf(out, "; depth up to %s", say_grouped(counters->depth_max, text));
    fprintf(out, ", up to %s\n", say_count(counters->tasks_max, "task", count));
}

/* A number of bytes with a unit. */
static const char *size_text(uint64_t bytes, char text[32]) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB"};
    double number = (double)bytes;
    uint32_t unit = 0;
    for (; number >= 1024 && unit < 3; unit++)
        number /= 1024;
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", number, units[unit]);
    return text;
}

/* For a search in strata. */
static void print_states(const struct strata *strata, FILE *out) {
    char text[GROUPED_SIZE], frontier[COUNT_SIZE], size[32];
    uint64_t bytes = strata->bytes_max;
    if (!strata->on)
        return;
    fprintf(out, "  states       %s", say_grouped(strata->states, text));
    if (strata->states)
        fprintf(out, ", in up to %s (%.1f bytes each)", size_text(bytes, size),
                (double)bytes / (double)strata->states);
    if (strata->forgetful)
        fputs("; memory was full, so some came more than once", out);
    fprintf(out, "\n  strata       %u completed", strata->completed);
    if (strata->frontier)
        fprintf(out, ", %s put aside for those to come",
                say_count(strata->frontier, "state", frontier));
    fputc('\n', out);
}

static void print_time(const struct supervision *supervision, FILE *out) {
    char text[GROUPED_SIZE];
    uint64_t executions = counters_begun(&supervision->session->result.counters);
    fprintf(out, "  time         %.2f s, %.2f s of CPU", supervision->seconds,
            supervision->cpu_seconds);
    bool strata = supervision->session->result.reached.strata.on;
    double count =
        (double)(strata ? supervision->session->result.counters.transitions : executions);
    double seconds = supervision->seconds - supervision->earlier_seconds;
    if (seconds > 0.1)
        fprintf(out, ", %s %s a second", say_grouped((uint64_t)(count / seconds), text),
                strata ? "transitions" : "executions");
    fputc('\n', out);
}

/* For a search that ended too early. */
static void print_left(const struct judgement *judgement, const struct session *session,
                       FILE *out) {
    struct estimate_left left;
    char range[RANGE_SIZE];
    bool early = judgement->verdict == VERDICT_BUDGET ||
                 (judgement->verdict == VERDICT_BUG && session->request.options.keep_going);
    if (!early || session->result.search.exhausted || !result_left(&session->result, &left))
        return;
    fprintf(out, "  left         %s, by what was explored so far\n",
            say_range(left.left, left.low, left.high, "execution", range));
}

/* Prints "  label        text" in as many lines as needed. */
static void print_line(const char *label, const char *text, FILE *out) {
    fprintf(out, "  %-*s", LABEL - 2, label);
    wrap_text(text, LABEL, LABEL, out);
    fputc('\n', out);
}

/* Limits of this run that a reader might not expect. */
static void print_limits(const struct session *session, const struct program *program, FILE *out) {
    if (session->result.observed.weak_orders)
        print_line("memory model",
                   "atomics with orders weaker than seq_cst were explored as if they were seq_cst; "
                   "data races are judged by the orders as written",
                   out);
    if (!program->linked)
        print_line("operations",
                   "library calls only: the program was not compiled by `heddle cc`, so plain and "
                   "atomic accesses to memory were not seen",
                   out);
    if (session->request.options.races_by_states && !session->result.observed.machines)
        print_line("data races",
                   "are states in which two tasks stand before conflicting accesses; each plain "
                   "access is an operation, as by --races=explore",
                   out);
    if (!session->result.observed.threads && session->result.counters.executions)
        print_line("tasks", "the program never had more than one", out);
}

static void print_ledger(const struct session *session, struct symbols *symbols, FILE *out) {
    char place[PLACE_SIZE], count[GROUPED_SIZE];
    if (session->result.ledger.count)
        fputs("  not controlled:\n", out);
    for (uint32_t i = 0; i < session->result.ledger.count; i++) {
        const struct ledger_entry *entry = &session->result.ledger.entries[i];
        struct wrap_draft draft;
        FILE *line = wrap_draft(&draft);
        collect_place(symbols, entry->pc, place);
        fprintf(line, "%s: %s", entry->call, entry->why);
        if (entry->count > 0) /* a call, not a library */
            fprintf(line, " (%s%s", place, place[0] ? ", " : "");
        if (entry->count == 1)
            fputs("once)", line);
        else if (entry->count > 1)
            fprintf(line, "%s times)", say_grouped(entry->count, count));
        fputs("    ", out);
        wrap_text(wrap_drafted(&draft), 4, 6, out);
        fputc('\n', out);
        free(draft.text);
    }
}

static void print_bound(const struct session *session, FILE *out) {
    const struct deepening *deepening = &session->result.reached.deepening;
    struct bound bound = deepen_bound(&session->request.options, &session->result);
    char text[32];
    if (bound.kind == BOUND_NONE)
        return;
    fprintf(out, "  bound        %s", bound_text(bound, text));
    if (session->request.options.deepen != BOUND_NONE && deepening->completed > bound.limit)
        fputs(", completed; raised from 0", out);
    else if (session->request.options.deepen != BOUND_NONE && deepening->completed > 0)
        fprintf(out, "; raised from 0, %u completed", deepening->completed - 1);
    else if (session->request.options.deepen != BOUND_NONE)
        fputs("; none completed", out);
    fputc('\n', out);
}

/* For a strategy that samples: the number of samples from each stratum. */
static void print_samples(const struct session *session, FILE *out) {
    const struct sampling *sampling = &session->result.reached.sampling;
    const char *unit = strategy_strata(strategy_named(session->request.options.strategy)),
               *comma = "";
    char text[GROUPED_SIZE];
    if (sampling->samples == 0)
        return;
    fprintf(out, "  samples      by %s:", unit);
    for (uint32_t i = 0; i < sampling->count && i < SAMPLING_ROWS; i++, comma = ",")
        if (sampling->rows[i].samples > 0)
            fprintf(out, "%s %s with %llu", comma, say_grouped(sampling->rows[i].samples, text),
                    (unsigned long long)sampling->rows[i].stratum);
    fputs(sampling->full ? " and more\n" : "\n", out);
}

/* For a strategy that has members: the work of each. */
static void print_members(const struct members *members, FILE *out) {
    char executions[COUNT_SIZE], steps[COUNT_SIZE], count[COUNT_SIZE];
    for (uint32_t i = 0; i < members->count && i < MEMBERS_MAX; i++) {
        const struct member_row *row = &members->rows[i];
        fprintf(out, "  %-12s %s, %s", row->name,
                say_count(row->executions, "execution", executions),
                say_count(row->steps, "step", steps));
        if (row->states)
            fprintf(out, ", %s", say_count(row->states, "state", count));
        if (row->findings)
            fprintf(out, ", %s", say_count(row->findings, "finding", count));
        fprintf(out, "%s%s\n", row->note[0] ? "; left: " : "", row->note);
    }
}

/* In a log the verdict is one line, so that scripts can search for it. */
static void print_verdict(const struct judgement *judgement, FILE *out) {
    fputs("heddle: ", out);
    if (isatty(fileno(out)))
        wrap_text(judgement->sentence, strlen("heddle: "), 4, out);
    else
        fputs(judgement->sentence, out);
}

void summary_print(const struct judgement *judgement, const struct supervision *supervision,
                   const struct program *program, struct symbols *symbols, FILE *out) {
    const struct session *session = supervision->session;
    const struct options *options = &session->request.options;
    const struct style *style = style_of(out);
    bool good = verdict_info(judgement->verdict)->exit_code == 0;
    fputs(good ? style->good : style->bad, out);
    print_verdict(judgement, out);
    fprintf(out, "%s\n", style->plain);
    fprintf(out, "  strategy     %s", options->strategy);
    if (session->result.explorer_name[0])
        fprintf(out, ", explorer %s", session->result.explorer_name);
    if (!options_exhaustive(options))
        fprintf(out, ", seed %llu", (unsigned long long)options->seed);
    fputc('\n', out);
    print_bound(session, out);
    print_states(&session->result.reached.strata, out);
    print_counts(&session->result.counters, out);
    print_left(judgement, session, out);
    print_samples(session, out);
    print_members(&session->result.reached.members, out);
    print_time(supervision, out);
    print_limits(session, program, out);
    print_ledger(session, symbols, out);
}
