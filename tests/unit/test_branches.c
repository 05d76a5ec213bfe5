/* test_branches.c - the table of the operation pairs that made a search branch, and the entries
 * that the reductions make in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/check.h"
#include "engine/branches.h"
#include "event/dependence.h"
#include "strategies/strategies.h"
#include "unit/harness.h"

static struct event access_of(uint32_t task, enum op_kind kind, uint64_t object, uint64_t pc) {
    return (struct event){
        .op = {.kind = kind, .size = 4, .target = NO_TASK, .object = object, .pc = pc},
        .task = task};
}

static const uint32_t nowhere[2] = {BRANCH_AHEAD, BRANCH_AHEAD};

static const struct branch_row *only_row(const struct branches *branches) {
    assert_int_equal(branches->row_count, 1);
    return &branches->rows[0];
}

/* --- the table ------------------------------------------------------------------------------ */

static void a_pair_is_one_in_both_orders(void **state) {
    struct pool *pool = pool_open();
    struct branches *branches = branches_create(pool);
    struct event store = access_of(1, OP_STORE, 64, 20), load = access_of(2, OP_LOAD, 64, 10);
    (void)state;
    branches->execution = 7;
    branches_add_race(branches, &store, &load, nowhere);
    branches_add_race(branches, &load, &store, nowhere);
    const struct branch_row *row = only_row(branches);
    assert_int_equal(row->count, 2);
    assert_int_equal(row->object, 64);
    assert_int_equal(row->places[0], 10);
    assert_int_equal(row->kinds[0], OP_LOAD);
    assert_int_equal(row->places[1], 20);
    assert_int_equal(row->kinds[1], OP_STORE);
    assert_int_equal(branches->planned, 2);
    assert_int_equal(branches->note_count, 2); /* the notes keep the order of the pair */
    assert_int_equal(branches->notes[0].execution, 7);
    assert_int_equal(branches->notes[0].first.task, 1);
    assert_int_equal(branches->notes[1].first.task, 2);
    pool_close(pool);
}

static void the_shared_object_counts(void **state) {
    struct pool *pool = pool_open();
    struct branches *branches = branches_create(pool);
    struct event wait = access_of(1, OP_COND_WAIT, 64, 10), lock = access_of(2, OP_LOCK, 128, 20);
    (void)state;
    wait.op.object2 = 128; /* the mutex that the wait releases */
    branches_add_race(branches, &wait, &lock, nowhere);
    assert_int_equal(only_row(branches)->object, 128);

    branches = branches_create(pool); /* two woken tasks want the mutex */
    wait.op.kind = OP_COND_WAKE;
    branches_add_race(branches, &wait, &wait, nowhere);
    assert_int_equal(only_row(branches)->object, 128);

    branches = branches_create(pool); /* bytes 64 to 67 and 66 to 69 */
    struct event low = access_of(1, OP_STORE, 64, 10), high = access_of(2, OP_LOAD, 66, 20);
    branches_add_race(branches, &low, &high, nowhere);
    assert_int_equal(only_row(branches)->object, 66);

    branches = branches_create(pool); /* a failure depends on every other operation */
    low.flags |= EVENT_FATAL;
    high.op.object = 256;
    branches_add_race(branches, &low, &high, nowhere);
    assert_int_equal(only_row(branches)->object, 0);
    assert_true(only_row(branches)->fatal);
    pool_close(pool);
}

static void choices_are_their_own(void **state) {
    struct pool *pool = pool_open();
    struct branches *branches = branches_create(pool);
    struct event choose = access_of(3, OP_CHOOSE, 0, 10);
    (void)state;
    branches_add_choice(branches, &choose, CHOICE_VALUE, 2, 3);
    branches_add_choice(branches, &choose, CHOICE_VALUE, 1, 3);
    assert_int_equal(only_row(branches)->count, 2);
    assert_int_equal(only_row(branches)->tag, CHOICE_VALUE);
    assert_int_equal(branches->notes[0].value, 2);
    assert_int_equal(branches->notes[1].value, 1);
    assert_int_equal(branches->notes[1].count, 3);
    pool_close(pool);
}

static void the_table_is_bounded(void **state) {
    enum { MORE = 100 };
    struct pool *pool = pool_open();
    struct branches *branches = branches_create(pool);
    uint64_t sum = 0;
    (void)state;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < BRANCH_ROWS_MAX + MORE; i++) {
            struct event a = access_of(1, OP_STORE, 64 + 8 * i, 10);
            struct event b = access_of(2, OP_STORE, 64 + 8 * i, 10);
            branches_add_race(branches, &a, &b, nowhere);
        }
    for (uint32_t i = 0; i < branches->row_count; i++)
        sum += branches->rows[i].count;
    assert_int_equal(branches->row_count, BRANCH_ROWS_MAX);
    assert_int_equal(branches->unlisted, 2 * MORE);
    assert_int_equal(sum, 2 * BRANCH_ROWS_MAX);
    assert_int_equal(branches->planned, sum + branches->unlisted);
    assert_int_equal(branches->note_count, BRANCH_NOTES);
    pool_close(pool);
}

static void nothing_without_a_table(void **state) {
    struct event store = access_of(1, OP_STORE, 64, 20);
    (void)state;
    branches_add_race(NULL, &store, &store, nowhere);
    branches_add_choice(NULL, &store, CHOICE_VALUE, 1, 2);
}

/* --- the entries of the reductions ---------------------------------------------------------- */

struct walk {
    struct session *session;
    struct scripted system;
};

static const struct branches *walk(struct walk *walk, const struct script *script,
                                   const char *strategy) {
    walk->session = calloc(1, sizeof *walk->session);
    CHECK(walk->session != NULL);
    walk->session->pool = pool_open();
    walk->session->request.options = search_options();
    scripted_init(&walk->system, script);
    struct explorer *explorer = explorer_open(walk->session, &walk->system.base,
                                              strategy_named(strategy), &replay_strategy, NULL, 0);
    while (explorer_execute(explorer))
        ;
    assert_true(walk->session->result.search.exhausted);
    return walk->session->result.records.branches;
}

static void walk_close(struct walk *walk) {
    pool_close(walk->session->pool);
    free(walk->session);
}

/* Two tasks store different values: two orders, one race. */
static const struct script_instruction store_1[] = {{.code = OP_STORE, .value = 1}};
static const struct script_instruction store_2[] = {{.code = OP_STORE, .value = 2}};

static void each_reduction_names_the_race(void **state) {
    static const char *const names[] = {"optimal", "source", "classic"};
    const struct script script = {
        .tasks = {{store_1, 1}, {store_2, 1}}, .task_count = 2, .started = 3};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct walk search;
        const struct branches *branches = walk(&search, &script, names[i]);
        assert_int_equal(branches->planned, 1);
        assert_int_equal(only_row(branches)->kinds[0], OP_STORE);
        assert_int_equal(branches->notes[0].execution, 1);
        assert_int_equal(branches->notes[0].first.task, 0);
        assert_int_equal(branches->notes[0].second.task, 1);
        assert_true(branches->notes[0].first.op.object == branches->notes[0].second.op.object);
        walk_close(&search);
    }
}

/* Under optimal, every branch is one more execution, and only the first execution has no branch.
 * choose(3) before a store that races gives 3 * 2 = 6 executions, so there are 5 branches. At least
 * two of them are choices. */
static void a_branch_is_an_execution(void **state) {
    static const struct script_instruction chooses[] = {{.code = OP_CHOOSE, .value = 3},
                                                        {.code = OP_STORE, .value = 1}};
    const struct script script = {
        .tasks = {{chooses, 2}, {store_2, 1}}, .task_count = 2, .started = 3};
    struct walk search;
    uint64_t chosen = 0;
    (void)state;
    const struct branches *branches = walk(&search, &script, "optimal");
    assert_int_equal(search.session->result.counters.executions, 6);
    assert_int_equal(branches->planned, 5);
    for (uint32_t i = 0; i < branches->note_count; i++)
        chosen += branches->notes[i].tag == CHOICE_VALUE;
    assert_true(chosen >= 2);
    walk_close(&search);
}

static void others_name_none(void **state) {
    const struct script script = {
        .tasks = {{store_1, 1}, {store_2, 1}}, .task_count = 2, .started = 3};
    struct walk search;
    (void)state;
    assert_null(walk(&search, &script, "dfs"));
    walk_close(&search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_is_one_in_both_orders),
        cmocka_unit_test(the_shared_object_counts),
        cmocka_unit_test(choices_are_their_own),
        cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(nothing_without_a_table),
        cmocka_unit_test(each_reduction_names_the_race),
        cmocka_unit_test(a_branch_is_an_execution),
        cmocka_unit_test(others_name_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
