/* test_result.c - results of two workers become one: numbers add up, a claim needs both, a doubt
 * needs one.
 *
 * The results are filled in at random or by hand. Merged ones are compared with each other, and
 * judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/coverage.h"
#include "engine/tree.h"
#include "judged.h"
#include "strategies/strategies.h"
#include "event/event.h"
#include "engine/branches.h"

enum { ROUNDS = 200, POOL_SIZE = 1 << 30 };

static struct pool *pool;
static struct result a, b, c;

static int set_up(void **state) {
    pool = pool_map(POOL_SIZE);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&c, 0, sizeof c);
    a.search.begun = b.search.begun = c.search.begun = true;
    return judged_begin(state);
}

static int tear_down(void **state) {
    (void)state;
    pool_unmap(pool);
    return 0;
}

static void merge(struct result *into, const struct result *from) {
    assert_true(result_merge(into, from, pool));
}

/* --- at random -------------------------------------------------------------------------------- */

static uint64_t below(uint64_t limit) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % limit;
}

/* All bytes of the structs are fields of the same type. */
static void fill_numbers(uint64_t *numbers, size_t size) {
    for (size_t i = 0; i < size / sizeof *numbers; i++)
        numbers[i] = below(100);
}

static void fill_flags(bool *flags, size_t size) {
    for (size_t i = 0; i < size; i++)
        flags[i] = below(2);
}

static void fill(struct result *result) {
    memset(result, 0, sizeof *result);
    result->search.begun = true;
    fill_numbers((uint64_t *)&result->counters, sizeof result->counters);
    fill_flags((bool *)&result->observed, sizeof result->observed);
    result->search.exhausted = below(2);
    result->search.bound_cut = below(2);
    result->search.unsure = below(2);
    result->search.stopped = (enum stopped)below(3);
    for (uint64_t i = below(4); i-- > 0;)
        ledger_uncontrolled(&result->ledger, i ? "read" : "time", "why", below(3));
    struct sampling *sampling = &result->reached.sampling;
    for (sampling->count = 0; sampling->count < below(4); sampling->count++)
        sampling->rows[sampling->count] =
            (struct sampling_row){.stratum = sampling->count, .samples = below(5)};
    result->scale.estimate.total = (double)(1 + below(50));
}

static uint64_t ledger_count(const struct result *result, const char *call, uint64_t pc) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < result->ledger.count; i++)
        if (strcmp(result->ledger.entries[i].call, call) == 0 && result->ledger.entries[i].pc == pc)
            count += result->ledger.entries[i].count;
    return count;
}

static uint64_t sample_count(const struct result *result, uint64_t stratum) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < result->reached.sampling.count; i++)
        if (result->reached.sampling.rows[i].stratum == stratum)
            count += result->reached.sampling.rows[i].samples;
    return count;
}

/* All but the order of lists. */
static void assert_same(const struct result *x, const struct result *y) {
    assert_memory_equal(&x->counters, &y->counters, sizeof x->counters);
    assert_memory_equal(&x->observed, &y->observed, sizeof x->observed);
    assert_memory_equal(&x->search, &y->search, sizeof x->search);
    assert_int_equal(x->ledger.count, y->ledger.count);
    for (uint64_t pc = 0; pc < 3; pc++) {
        assert_int_equal(ledger_count(x, "read", pc), ledger_count(y, "read", pc));
        assert_int_equal(ledger_count(x, "time", pc), ledger_count(y, "time", pc));
        assert_int_equal(sample_count(x, pc), sample_count(y, pc));
    }
    assert_true(x->scale.estimate.total == y->scale.estimate.total);
}

static void the_order_does_not_matter(void **state) {
    static struct result x, y;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&a);
        fill(&b);
        fill(&c);
        x = a; /* (a + b) + c */
        merge(&x, &b);
        merge(&x, &c);
        y = c; /* (c + b) + a */
        merge(&y, &b);
        merge(&y, &a);
        assert_same(&x, &y);
        y = b; /* a + (b + c) */
        merge(&y, &c);
        x = a;
        merge(&x, &y);
        merge(&a, &b);
        merge(&a, &c);
        assert_same(&x, &a);
    }
}

static void nothing_changes_nothing(void **state) {
    static const struct result nothing;
    static struct result before;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&a);
        before = a;
        merge(&a, &nothing);
        assert_memory_equal(&a, &before, sizeof a);
        memset(&b, 0, sizeof b);
        merge(&b, &a);
        assert_memory_equal(&b, &before, sizeof b);
    }
    memset(&b, 0, sizeof b);
    merge(&b, &nothing);
    assert_memory_equal(&b, &nothing, sizeof b);
}

/* --- claims and doubts ------------------------------------------------------------------------ */

static struct judgement judged_both(void) {
    merge(&a, &b);
    return judge(strategy_named(options.strategy), &options, &a);
}

static void fill_halves(void) {
    a.counters.executions = 7;
    b.counters.executions = 5;
    a.search.exhausted = b.search.exhausted = a.observed.threads = true;
}

static void both_have_explored_their_part(void **state) {
    (void)state;
    fill_halves();
    assert_string_equal(judged_both().sentence, "verified: all 12 executions, nothing cut off");
}

/* A worker that was given a part and did nothing looks nearly like one that was never there. */
static void one_has_not_begun_its_part(void **state) {
    (void)state;
    fill_halves();
    memset(&b, 0, sizeof b);
    b.search.begun = true;
    assert_int_equal(judged_both().verdict, VERDICT_BUDGET);
}

static void one_was_interrupted(void **state) {
    (void)state;
    fill_halves();
    b.search.exhausted = false;
    b.search.stopped = STOPPED_BY_INTERRUPT;
    assert_string_equal(judged_both().sentence,
                        "no bug so far: an interrupt ended the search after 12 executions");
}

static void one_has_left_something_out(void **state) {
    (void)state;
    fill_halves();
    b.observed.annotated = true;
    assert_int_equal(judged_both().verdict, VERDICT_BOUNDED);
}

static void one_has_failed(void **state) {
    (void)state;
    fill_halves();
    b.failure = (struct failure){.text = "broken", .verdict = VERDICT_UNSUPPORTED};
    assert_string_equal(judged_both().sentence, "broken");
}

/* --- findings --------------------------------------------------------------------------------- */

static void find(struct result *result, struct pool *memory, uint64_t pc) {
    struct session_finding found = {
        .finding = {.kind = FINDING_ASSERTION, .stack_count = 1, .stacks = {{.pc = pc}}}};
    execution_init(&found.execution, memory);
    execution_decide(&found.execution, (struct decision){.chosen = (uint32_t)pc, .count = 2});
    found_add(&result->found, &found, memory);
}

/* Findings 1 and 2, then 2 and 3: the second is the same. The copy outlives the worker's memory. */
static void findings_are_united(void **state) {
    struct pool *other = pool_map(POOL_SIZE);
    uint64_t expected = 1;
    (void)state;
    find(&a, pool, 1);
    find(&a, pool, 2);
    find(&b, other, 2);
    find(&b, other, 3);
    b.reached.members = (struct members){.rows = {{.name = "one"}, {.name = "two"}}, .count = 2};
    a.reached.members = (struct members){.rows = {{.name = "two"}}, .count = 1};
    b.found.last->member = 1;
    merge(&a, &b);
    pool_unmap(other);
    for (struct session_finding *at = a.found.first; at != NULL; at = at->next, expected++) {
        assert_int_equal(at->finding.stacks[0].pc, expected);
        assert_int_equal(at->execution.decisions[0].chosen, expected);
    }
    assert_int_equal(a.found.count, 3);
    assert_int_equal(expected, 4);
    assert_string_equal(a.reached.members.rows[a.found.last->member - 1].name, "one");
}

static void more_findings_than_can_be_kept(void **state) {
    (void)state;
    for (uint64_t pc = 0; pc < FOUND_MAX; pc++)
        find(&a, pool, pc);
    merge(&a, &b);
    assert_false(a.found.lost);
    find(&b, pool, FOUND_MAX);
    merge(&a, &b);
    assert_true(a.found.lost);
    assert_int_equal(a.found.count, FOUND_MAX);
}

/* --- how far ---------------------------------------------------------------------------------- */

/* Bounds 0, 1 and 2 of one, and 0 and 2 of the other, which met no state of bound 1. The second has
 * counted 40 transitions before bound 2, and so before bound 1. One has not completed bound 2, so
 * the merged search has completed two rows. */
static void strata_by_their_bounds(void **state) {
    (void)state;
    a.reached.strata = (struct strata){.on = true,
                                       .rows = {{.bound = 0, .states = 1},
                                                {.bound = 1, .states = 2, .transitions = 10},
                                                {.bound = 2, .states = 3, .transitions = 20}},
                                       .count = 3,
                                       .completed = 3,
                                       .states = 6};
    b.reached.strata = (struct strata){
        .on = true,
        .rows = {{.bound = 0, .states = 4}, {.bound = 2, .states = 5, .transitions = 40}},
        .count = 2,
        .completed = 1,
        .states = 9};
    a.counters.transitions = 30;
    b.counters.transitions = 50;
    merge(&a, &b);
    const struct strata *strata = &a.reached.strata;
    assert_int_equal(strata->count, 3);
    assert_int_equal(strata->completed, 2);
    assert_int_equal(strata->states, 15);
    assert_int_equal(strata_row(strata, 0, &a.counters).transitions, 50);
    assert_int_equal(strata_row(strata, 1, &a.counters).transitions, 10);
    assert_int_equal(strata_row(strata, 2, &a.counters).transitions, 20);
    assert_int_equal(strata->rows[0].states, 5);
    assert_int_equal(strata->rows[2].states, 8);
}

static void a_member_wins_in_both(void **state) {
    struct members members = {
        .rows = {{.name = "one", .executions = 3}, {.name = "two"}}, .count = 2, .winner = 1};
    (void)state;
    a.reached.members = b.reached.members = members;
    merge(&a, &b);
    assert_string_equal(members_winner(&a.reached.members)->name, "one");
    assert_int_equal(a.reached.members.rows[0].executions, 6);
    b.reached.members.winner = 2;
    merge(&a, &b);
    assert_null(members_winner(&a.reached.members));
}

/* Of one part of the search nothing is known, so nothing is of the whole. */
static void an_estimate_needs_both(void **state) {
    struct estimate_left left;
    (void)state;
    a.scale.estimate.total = 10;
    b.scale.estimate.total = 20;
    merge(&a, &b);
    assert_true(result_left(&a, &left) && left.total == 30 && left.low == 30 && left.high == 30);
    merge(&a, &c);
    assert_false(result_left(&a, &left));
}

/* --- what cannot be compared ------------------------------------------------------------------ */

static void tasks_of_other_names(void **state) {
    static struct result before;
    (void)state;
    fill_halves();
    a.tasks = (struct task_names){.list = {{.parent = 0, .child = 0}}, .count = 1};
    b.tasks = (struct task_names){.list = {{.parent = 0}, {.parent = 0, .child = 1}}, .count = 2};
    merge(&a, &b);
    assert_int_equal(a.tasks.count, 2);
    before = a;
    b.tasks.list[1].child = 2;
    assert_false(result_merge(&a, &b, pool));
    assert_memory_equal(&a, &before, sizeof a);
}

static void files_at_other_addresses(void **state) {
    (void)state;
    a.modules = (struct modules){.list = {{.path = "p", .base = 1}}, .count = 1};
    b.modules =
        (struct modules){.list = {{.path = "l", .base = 2}, {.path = "p", .base = 1}}, .count = 2};
    merge(&a, &b);
    assert_int_equal(a.modules.count, 2);
    b.modules.list[0].base = 3;
    assert_false(result_merge(&a, &b, pool));
}

/* --- records ---------------------------------------------------------------------------------- */

static void see_pair(struct result *result, uint64_t first, uint64_t second) {
    const struct event events[] = {{.op = {.kind = OP_STORE, .pc = first}, .task = 0},
                                   {.op = {.kind = OP_STORE, .pc = second}, .task = 1}};
    if (result->records.coverage == NULL)
        result->records.coverage = coverage_create(pool);
    coverage_add(result->records.coverage, &events[0], &events[1], 0, true);
}

/* One worker has seen 1 before 2, the other 2 before 1. */
static void coverage_of_both(void **state) {
    uint32_t both = 0;
    (void)state;
    see_pair(&a, 1, 2);
    see_pair(&b, 2, 1);
    see_pair(&b, 3, 4);
    merge(&a, &b);
    for (uint32_t i = 0; i < a.records.coverage->row_count; i++)
        both += a.records.coverage->rows[i].orders[0] == 1 &&
                a.records.coverage->rows[i].orders[1] == 1;
    assert_int_equal(both, 1);
    assert_int_equal(a.records.coverage->row_count, 2);
}

static void record(struct result *result, uint32_t first, uint32_t second) {
    const struct tree_end end = {.outcome = OUTCOME_ENDED, .finding = FINDING_KINDS};
    struct execution execution;
    execution_init(&execution, pool);
    execution_decide(&execution, (struct decision){.chosen = first, .count = 2});
    execution_decide(&execution, (struct decision){.chosen = second, .count = 2});
    if (result->records.tree == NULL)
        result->records.tree = tree_create(pool);
    tree_add(result->records.tree, &execution, &end);
}

/* Decisions 00, 01 and then 01, 10: the root, 0 and 1 below it, 00, 01 and 10, and three leaves. */
static void trees_of_both(void **state) {
    (void)state;
    record(&a, 0, 0);
    record(&a, 0, 1);
    record(&b, 0, 1);
    record(&b, 1, 0);
    merge(&a, &b);
    uint32_t executions = 0;
    for (uint32_t i = 0; i < a.records.tree->count; i++)
        executions += a.records.tree->nodes[i].counts.complete;
    assert_int_equal(a.records.tree->count, 1 + 2 + 3 + 3);
    assert_int_equal(executions, 4);
}

static void plan(struct result *result, uint64_t pc) {
    const struct event event = {.op = {.kind = OP_LOCK, .pc = pc}};
    if (result->records.branches == NULL)
        result->records.branches = branches_create(pool);
    branches_add_choice(result->records.branches, &event, CHOICE_VALUE, 1, 2);
}

static void branches_of_both(void **state) {
    (void)state;
    plan(&a, 1);
    plan(&b, 1);
    plan(&b, 2);
    merge(&a, &b);
    assert_int_equal(a.records.branches->planned, 3);
    assert_int_equal(a.records.branches->row_count, 2);
    assert_int_equal(a.records.branches->note_count, 3);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(the_order_does_not_matter),
        CASE(nothing_changes_nothing),
        CASE(both_have_explored_their_part),
        CASE(one_has_not_begun_its_part),
        CASE(one_was_interrupted),
        CASE(one_has_left_something_out),
        CASE(one_has_failed),
        CASE(findings_are_united),
        CASE(more_findings_than_can_be_kept),
        CASE(strata_by_their_bounds),
        CASE(a_member_wins_in_both),
        CASE(an_estimate_needs_both),
        CASE(tasks_of_other_names),
        CASE(files_at_other_addresses),
        CASE(coverage_of_both),
        CASE(trees_of_both),
        CASE(branches_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
