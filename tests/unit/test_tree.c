/* test_tree.c - the tree of a search: under every strategy, each execution has its way and its leaf
 * in the tree. Executions without room in the tree are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/check.h"
#include "engine/tree.h"
#include "unit/random_script.h"
#include "unit/walk.h"
#include "event/event.h"
#include "engine/branches.h"

/* --- trees built by hand -------------------------------------------------------------------- */

struct sample {
    struct pool *pool;
    struct tree *tree;
    struct execution execution;
};

static void sample_open(struct sample *sample) {
    sample->pool = pool_open();
    sample->tree = tree_create(sample->pool);
    execution_init(&sample->execution, sample->pool);
}

/* Adds an execution to the tree. Each task number stands for a step with one event. */
static void add(struct sample *sample, const uint32_t *tasks, uint32_t count, enum outcome outcome,
                enum finding_kind finding) {
    struct execution *execution = &sample->execution;
    execution_clear(execution);
    for (uint32_t i = 0; i < count; i++) {
        execution_decide(execution, (struct decision){.chosen = tasks[i],
                                                      .count = 2,
                                                      .tag = CHOICE_SCHEDULE,
                                                      .event = execution->event_count + 1});
        struct event *event = execution_add_event(execution);
        *event = (struct event){.task = tasks[i], .op = {.kind = OP_YIELD, .pc = i}};
    }
    static uint64_t number;
    tree_add(sample->tree, execution,
             &(struct tree_end){.execution = ++number, .outcome = outcome, .finding = finding});
}

static void equal_prefixes_are_there_once(void **state) {
    struct sample sample;
    (void)state;
    sample_open(&sample);
    add(&sample, (uint32_t[]){1, 2, 1}, 3, OUTCOME_ENDED, FINDING_KINDS);
    uint32_t first = sample.tree->last;
    assert_int_equal(sample.tree->count, 1 + 3 + 1);
    add(&sample, (uint32_t[]){1, 1, 2}, 3, OUTCOME_STUCK, FINDING_DEADLOCK);
    assert_int_equal(sample.tree->count, 5 + 2 + 1);
    const struct tree_node *leaf = &sample.tree->nodes[sample.tree->last];
    assert_int_equal(leaf->counts.found, 1);
    assert_int_equal(leaf->finding, FINDING_DEADLOCK);
    /* This execution ends where others go on. */
    add(&sample, (uint32_t[]){1, 2}, 2, OUTCOME_BLOCKED, FINDING_KINDS);
    assert_int_equal(sample.tree->count, 8 + 1);
    assert_int_equal(sample.tree->nodes[sample.tree->last].parent,
                     sample.tree->nodes[sample.tree->nodes[first].parent].parent);
    assert_int_equal(sample.tree->nodes[sample.tree->last].counts.others, 1);
    /* The first execution comes once more. */
    add(&sample, (uint32_t[]){1, 2, 1}, 3, OUTCOME_ENDED, FINDING_KINDS);
    assert_int_equal(sample.tree->count, 9);
    assert_int_equal(sample.tree->last, first);
    assert_int_equal(sample.tree->nodes[first].counts.complete, 2);
    pool_close(sample.pool);
}

static void a_finding_that_does_not_repeat_is_none(void **state) {
    struct sample sample;
    (void)state;
    sample_open(&sample);
    add(&sample, (uint32_t[]){1}, 1, OUTCOME_FAILED, FINDING_ASSERTION);
    tree_retract(sample.tree);
    const struct tree_node *leaf = &sample.tree->nodes[sample.tree->last];
    assert_int_equal(leaf->finding, FINDING_KINDS);
    assert_int_equal(leaf->counts.found, 0);
    assert_int_equal(leaf->counts.others, 1);
    tree_retract(NULL);
    pool_close(sample.pool);
}

static void several_searches_are_apart(void **state) {
    struct sample sample;
    struct tree_end end = {.several = true, .outcome = OUTCOME_ENDED, .finding = FINDING_KINDS};
    (void)state;
    sample_open(&sample);
    add(&sample, (uint32_t[]){1}, 1, OUTCOME_ENDED,
        FINDING_KINDS); /* also fills in sample.execution */
    for (end.limit = 0; end.limit < 2; end.limit++)
        for (end.member = 0; end.member < 2; end.member++)
            tree_add(sample.tree, &sample.execution, &end);
    assert_int_equal(sample.tree->count, 3 + 4 * 3);
    tree_add(sample.tree, &sample.execution, &end);
    tree_add(sample.tree, &sample.execution, &end);
    assert_int_equal(sample.tree->count, 3 + 5 * 3);
    pool_close(sample.pool);
}

static uint64_t all_of(const struct tree *tree) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tree->count; i++)
        sum += (uint64_t)tree->nodes[i].counts.complete + tree->nodes[i].counts.found +
               tree->nodes[i].counts.others;
    return sum;
}

/* Executions have 1,000 steps and differ in the first step. (TREE_NODES - 1) / 1,001 = 131 of them
 * fit. Further ones are counted at the root, but there is still room for findings. */
static void executions_without_room_are_counted(void **state) {
    enum { LENGTH = 1000, FITS = (TREE_NODES - 1) / (LENGTH + 1) };
    uint32_t tasks[LENGTH] = {0};
    struct sample sample;
    (void)state;
    sample_open(&sample);
    for (tasks[0] = 0; tasks[0] < FITS + 2; tasks[0]++)
        add(&sample, tasks, LENGTH, OUTCOME_ENDED, FINDING_KINDS);
    assert_int_equal(sample.tree->last, 0);
    assert_int_equal(sample.tree->count, 1 + FITS * (LENGTH + 1));
    assert_int_equal(sample.tree->nodes[0].counts.complete, 2);
    add(&sample, tasks, LENGTH, OUTCOME_FAILED, FINDING_CRASH);
    assert_int_not_equal(sample.tree->last, 0);
    /* An execution that is in the tree is counted at its leaf as before. An execution that leaves a
     * known way halfway is counted at the root. */
    tasks[0] = 3;
    add(&sample, tasks, LENGTH, OUTCOME_ENDED, FINDING_KINDS);
    assert_int_equal(sample.tree->nodes[sample.tree->last].counts.complete, 2);
    tasks[500] = 1;
    add(&sample, tasks, LENGTH, OUTCOME_ENDED, FINDING_KINDS);
    assert_int_equal(sample.tree->last, 0);
    assert_int_equal(all_of(sample.tree), FITS + 2 + 3);
    pool_close(sample.pool);
}

/* --- trees of searches ---------------------------------------------------------------------- */

/* The way to the last leaf must be the execution, and each node must hold the event of its step. */
static void check_way(const struct tree *tree, const struct execution *execution) {
    uint32_t node = tree->last;
    assert_int_not_equal(node, 0);
    assert_int_equal(tree->nodes[node].kind, TREE_LEAF);
    for (uint32_t i = execution->decision_count; i-- > 0;) {
        node = tree->nodes[node].parent;
        const struct tree_node *at = &tree->nodes[node];
        assert_int_equal(at->kind, TREE_DECISION);
        assert_int_equal(at->decision.chosen, execution->decisions[i].chosen);
        assert_int_equal(at->decision.tag, execution->decisions[i].tag);
        if (at->happened && at->decision.tag == CHOICE_SCHEDULE)
            assert_int_equal(at->event.task, at->decision.chosen);
    }
    assert_int_equal(tree->nodes[node].parent, 0);
}

/* If the execution was not shortened, each operation from the first decision on must be a step. */
static void check_events(const struct tree *tree, const struct execution *execution) {
    uint32_t node = tree->last, happened = 0, operations = 0;
    for (; node != 0; node = tree->nodes[node].parent)
        happened += tree->nodes[node].kind == TREE_DECISION && tree->nodes[node].happened;
    if (execution->skipped > 0 || execution->decision_count == 0)
        return;
    for (uint32_t i = execution->decisions[0].event - 1; i < execution->event_count; i++)
        operations += !(execution->events[i].flags & (EVENT_NOTE | EVENT_NESTED));
    assert_int_equal(happened, operations);
}

static void search(const struct script *script, const char *strategy) {
    struct options options = search_options();
    struct walk walk;
    options.tree = true;
    options.max_executions = 300;
    walk_open(&walk, script, strategy, &options);
    bool more = true;
    while (more) {
        enum session_phase phase = walk.session->live.phase;
        uint64_t begun = walk_begun(&walk);
        more = explorer_execute(walk.explorer);
        if (phase == PHASE_CONFIRMING || walk_begun(&walk) == begun)
            continue;
        check_way(walk.session->result.records.tree, walk.session->live.current);
        check_events(walk.session->result.records.tree, walk.session->live.current);
    }
    assert_true(walk_begun(&walk) > 0);
    assert_int_equal(all_of(walk.session->result.records.tree), walk_begun(&walk));
    walk_close(&walk);
}

static void every_execution_is_in_it(void **state) {
    static const char *const strategies[] = {
        "dfs", "persistent", "source", "classic", "optimal", "random", "pct", "ses", "observers"};
    enum { PROGRAMS = 60 };
    struct random random;
    (void)state;
    random_seed(&random, 5);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        struct random_script program;
        random_script(&program, &random, FLAVOUR_SEARCH, 3, 3);
        for (uint32_t j = 0; j < sizeof strategies / sizeof *strategies; j++)
            search(&program.script, strategies[j]);
    }
}

/* Two tasks store. The branch names the two decisions at which the racing operations stand. */
static void a_branch_says_where(void **state) {
    static const struct script_instruction one[] = {{.code = OP_STORE, .value = 1}};
    static const struct script_instruction two[] = {{.code = OP_STORE, .value = 2}};
    const struct script script = {.tasks = {{one, 1}, {two, 1}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct walk walk;
    (void)state;
    options.tree = true;
    walk_open(&walk, &script, "optimal", &options);
    while (explorer_execute(walk.explorer))
        ;
    assert_int_equal(walk.session->result.records.branches->note_count, 1);
    assert_int_equal(walk.session->result.records.branches->notes[0].at[0], 0);
    assert_int_equal(walk.session->result.records.branches->notes[0].at[1], 1);
    /* the start, and twice: two decisions and a leaf */
    assert_int_equal(walk.session->result.records.tree->count, 1 + 2 * 3);
    walk_close(&walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_prefixes_are_there_once),
        cmocka_unit_test(a_finding_that_does_not_repeat_is_none),
        cmocka_unit_test(several_searches_are_apart),
        cmocka_unit_test(executions_without_room_are_counted),
        cmocka_unit_test(every_execution_is_in_it),
        cmocka_unit_test(a_branch_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
