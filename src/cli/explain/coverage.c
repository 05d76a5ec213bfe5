/* coverage.c - see coverage.h. */
#include "cli/explain/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/explain/causes.h"
#include "cli/base/say.h"
#include "cli/supervise/sound.h"
#include "reports/describe.h"
#include "strategies/strategies.h"

enum { PAIRS_SHOWN = 5 };

/* --- from the session ----------------------------------------------------------------------- */

/* Every trace was explored, so an order that was not seen is impossible. */
static bool is_final(const struct session *session, const struct judgement *judgement) {
    const struct strategy_info *strategy = strategy_named(session->request.options.strategy);
    const struct coverage *coverage = session->result.records.coverage;
    return judgement->verdict == VERDICT_VERIFIED && judgement->complete &&
           strategy_has(strategy, EXHAUSTIVE) && !strategy_has(strategy, BY_OBSERVATION) &&
           !strategy_has(strategy, HAS_MEMBERS) && !coverage->idle && coverage->left_out == 0 &&
           coverage->unlisted == 0;
}

static struct event event_of(const struct coverage_row *row, uint32_t side) {
    return (struct event){.op = {.kind = row->kinds[side],
                                 .target = NO_TASK,
                                 .object = row->object,
                                 .pc = row->places[side]},
                          .task = row->tasks[side]};
}

/* Puts the operations of all open rows one after the other as if they were an execution, in the
 * order in which the rows came. Returns the number of rows. */
static uint32_t name_rows(struct pairs *pairs, const struct collect_source *source,
                          const struct coverage_row **rows) {
    struct event *events = calloc(2 * COVERAGE_ROWS_MAX, sizeof *events);
    uint32_t count = 0;
    CHECK(events);
    for (uint32_t i = 0; i < pairs->coverage->row_count; i++) {
        const struct coverage_row *row = &pairs->coverage->rows[i];
        if (!row->open)
            continue;
        events[2 * count] = event_of(row, 0);
        events[2 * count + 1] = event_of(row, 1);
        rows[count++] = row;
    }
    const struct execution execution = {.events = events, .event_count = 2 * count};
    const struct collect_subject names = {.execution = &execution};
    collect_trace(&pairs->trace, source, &names);
    free(events);
    return count;
}

static int compare_sides(const struct pair *a, uint32_t side_a, const struct pair *b,
                         uint32_t side_b) {
    int places = causes_compare_places(a->places[side_a], b->places[side_b]);
    return places ? places : (int)a->kinds[side_a] - (int)b->kinds[side_b];
}

/* Exchanges the two sides of the pair. */
static void turn(struct pair *pair) {
    struct pair old = *pair;
    for (uint32_t i = 0; i < 2; i++) {
        pair->places[i] = old.places[1 - i];
        pair->orders[i] = old.orders[1 - i];
        pair->tasks[i] = old.tasks[1 - i];
        pair->kinds[i] = old.kinds[1 - i];
    }
}

static struct pair pair_of(const struct pairs *pairs, const struct coverage_row *row,
                           uint32_t number) {
    const struct event *events = &pairs->trace.events[2 * number];
    const char *object = row->object ? trace_object_name(&pairs->trace, row->object) : NULL;
    struct pair pair = {.object = object ? object : ""};
    for (uint32_t i = 0; i < 2; i++) {
        pair.places[i] = trace_place(&pairs->trace, events[i].stack);
        pair.orders[i] = row->orders[i];
        pair.tasks[i] = row->tasks[i];
        pair.kinds[i] = row->kinds[i];
    }
    if (compare_sides(&pair, 0, &pair, 1) > 0)
        turn(&pair);
    return pair;
}

/* --- grouping ------------------------------------------------------------------------------- */

static bool in_both(const struct pair *pair) {
    return pair->orders[0] > 0 && pair->orders[1] > 0;
}

static int compare_lines(const void *a, const void *b) {
    int first = compare_sides(a, 0, b, 0);
    return first ? first : compare_sides(a, 1, b, 1);
}

static int compare_pairs(const void *a, const void *b) {
    int both = (int)in_both(a) - (int)in_both(b);
    return both ? both : compare_lines(a, b);
}

/* Code that was compiled twice counts as one line. */
static void merge(struct pairs *pairs) {
    uint32_t kept = 0;
    qsort(pairs->list, pairs->count, sizeof *pairs->list, compare_lines);
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct pair *last = kept > 0 ? &pairs->list[kept - 1] : NULL;
        if (last != NULL && compare_lines(last, &pairs->list[i]) == 0) {
            last->orders[0] += pairs->list[i].orders[0];
            last->orders[1] += pairs->list[i].orders[1];
        } else {
            pairs->list[kept++] = pairs->list[i];
        }
    }
    pairs->count = kept;
}

void pairs_init(struct pairs *pairs, const struct collect_source *source,
                const struct judgement *judgement) {
    const struct session *session = source->session;
    memset(pairs, 0, sizeof *pairs);
    if (session->result.records.coverage == NULL || !sound_coverage(session))
        return;
    pairs->coverage = session->result.records.coverage;
    pairs->final = is_final(session, judgement);
    const struct coverage_row **rows = calloc(COVERAGE_ROWS_MAX, sizeof *rows);
    CHECK(rows);
    pairs->count = name_rows(pairs, source, rows);
    pairs->list = calloc(pairs->count + 1, sizeof *pairs->list);
    CHECK(pairs->list);
    for (uint32_t i = 0; i < pairs->count; i++)
        pairs->list[i] = pair_of(pairs, rows[i], i);
    free(rows);
    merge(pairs);
    qsort(pairs->list, pairs->count, sizeof *pairs->list, compare_pairs);
    for (uint32_t i = 0; i < pairs->count; i++)
        pairs->both += in_both(&pairs->list[i]);
}

void pairs_destroy(struct pairs *pairs) {
    if (pairs->coverage != NULL)
        trace_destroy(&pairs->trace);
    free(pairs->list);
}

/* --- for readers ---------------------------------------------------------------------------- */

/* "queue.c:31 store" */
static void print_side(const struct pair *pair, uint32_t side, FILE *out) {
    causes_print_place(pair->places[side], "", out);
    fprintf(out, "%s%s", pair->places[side] ? " " : "", op_info(pair->kinds[side])->name);
}

/* The order that was not seen: "queue.c:31 store before queue.c:45 load, of head" */
static void print_missing(const struct pair *pair, FILE *out) {
    uint32_t first = pair->orders[0] == 0 ? 0 : 1;
    print_side(pair, first, out);
    if (compare_sides(pair, 0, pair, 1) == 0) {
        fprintf(out, ", T%" PRIu32 " before T%" PRIu32, pair->tasks[first], pair->tasks[1 - first]);
    } else {
        fputs(" before ", out);
        print_side(pair, 1 - first, out);
    }
    if (pair->object[0]) {
        fputs(", of ", out);
        describe_text(pair->object, out);
    }
    fputc('\n', out);
}

static const char *verdict_on_rest(const struct pairs *pairs) {
    if (pairs->both == pairs->count)
        return "";
    return pairs->final ? "; these orders are impossible:" : "; not seen:";
}

static void print_gaps(const struct coverage *coverage, FILE *out) {
    char text[COUNT_SIZE];
    if (coverage->unlisted > 0)
        fputs("               (there are more pairs than fit in the table)\n", out);
    if (coverage->left_out > 0)
        fprintf(out, "               (without %s too long for it)\n",
                say_count(coverage->left_out, "execution", text));
}

void pairs_print(const struct pairs *pairs, FILE *out) {
    char text[GROUPED_SIZE];
    uint32_t missing = pairs->count - pairs->both, shown = missing;
    if (pairs->coverage == NULL)
        return;
    fprintf(out, "  coverage     %s of ", say_grouped(pairs->both, text));
    fprintf(out, "%s pair%s of operations ran in both orders%s\n", say_grouped(pairs->count, text),
            pairs->count == 1 ? "" : "s", verdict_on_rest(pairs));
    if (shown > PAIRS_SHOWN)
        shown = PAIRS_SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        fputs("               ", out);
        print_missing(&pairs->list[i], out);
    }
    if (missing > shown)
        fprintf(out, "               and %s more: --json=FILE has them all\n",
                say_grouped(missing - shown, text));
    print_gaps(pairs->coverage, out);
}
