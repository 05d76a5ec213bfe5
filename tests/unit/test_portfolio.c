/* test_portfolio.c - several strategies take turns, and none of them is disturbed by the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "unit/harness.h"
#include "unit/random_script.h"
#include "unit/walk.h"

enum { SCRIPTS = 100, EXECUTIONS_MAX = 60000 };

static bool same_ends(const struct search *a, const struct search *b) {
    return set_equal(&a->finals, &b->finals) && set_equal(&a->stuck, &b->stuck) &&
           set_equal(&a->failures, &b->failures) &&
           memcmp(a->findings, b->findings, sizeof a->findings) == 0;
}

/* The portfolio ends when one member has explored everything, for every length of the turns. Then
 * all outcomes were found, and no member used state that another member left behind. */
static void the_member_that_ends_has_seen_everything(void **state) {
    static const uint32_t slices[] = {1, 7, 50, 400};
    static struct random_script random;
    struct random generator;
    uint32_t compared = 0;
    (void)state;
    random_seed(&generator, 4711);
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        struct options options = search_options();
        struct search all, portfolio;
        random_script(&random, &generator, FLAVOUR_SEARCH, 2 + i % 2, 2 + i % 3);
        options.max_executions = EXECUTIONS_MAX;
        search_script(&random.script, "dfs", &options, &all);
        options.max_executions = 0;
        options.memory_limit = 64 << 20;
        options.slice = slices[i % 4];
        options.checkpoints = i % 8 < 4 ? CHECKPOINTS_ON : CHECKPOINTS_OFF;
        if (all.exhausted) {
            search_script(&random.script, "portfolio", &options, &portfolio);
            if (!portfolio.exhausted || portfolio.diverged || portfolio.bound_cut ||
                !same_ends(&all, &portfolio)) {
                print_script(&random.script);
                fail_msg("script %u", i);
            }
            search_free(&portfolio);
            compared++;
        }
        search_free(&all);
    }
    assert_true(compared >= SCRIPTS / 2);
}

/* If data races are to be reported, the members that remember states take no part. Turns are
 * counted in steps, not in time, so a second run is the same. */
static void turns_are_repeatable(void **state) {
    static const struct script_instruction yields[8] = {[0 ... 7] = {.code = OP_YIELD}};
    const struct script script = {
        .tasks = {{yields, 8}, {yields, 8}, {yields, 8}}, .task_count = 3, .started = 7};
    struct options options = search_options();
    struct members members[2];
    (void)state;
    options.races = RACES_REPORT;
    options.slice = 100;
    options.max_executions = 2000;
    options.memory_limit = 64 << 20;
    for (uint32_t i = 0; i < 2; i++) {
        struct walk walk;
        walk_open(&walk, &script, "portfolio", &options);
        while (explorer_execute(walk.explorer))
            ;
        members[i] = walk.session->result.reached.members;
        walk_close(&walk);
    }
    assert_memory_equal(&members[0], &members[1], sizeof members[0]);
    assert_true(members[0].count > 5);
    for (uint32_t i = 0; i < members[0].count; i++) {
        const struct member_row *row = &members[0].rows[i];
        bool remembers = strncmp(row->name, "ses", 3) == 0;
        assert_int_equal(row->note[0] != 0, remembers);
        if (remembers)
            assert_int_equal(row->steps, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_member_that_ends_has_seen_everything),
        cmocka_unit_test(turns_are_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
