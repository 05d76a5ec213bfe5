/* test_analyses.c - an analysis that judges the way to a state is not forgotten where a search by
 * states has no use for it: then nothing is verified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/judge/judge.h"
#include "strategies/strategies.h"
#include "unit/harness.h"

static bool switched_off;
static struct analysis watching;

static struct analysis *watching_create(const struct analysis_context *context) {
    (void)context;
    return switched_off ? NULL : &watching;
}

static void watching_begin(struct analysis *self) {
    (void)self;
}

static void watching_save(struct analysis *self, struct image *image) {
    (void)self, (void)image;
}

static void watching_end(struct analysis *self, enum outcome outcome, const struct choice *last) {
    (void)self, (void)outcome, (void)last;
}

/* Judges the way to a state, as an analysis does that counts. */
static struct analysis_ops watching_ops = {
    .name = "watching",
    .by_history = true,
    .create = watching_create,
    .begin = watching_begin,
    .save = watching_save,
    .load = watching_save,
    .end = watching_end,
};

/* Two tasks that store to two variables: 2 orders, 4 states, and nothing is wrong. */
static enum verdict verdict_of(const char *strategy) {
    static const struct script_instruction one[] = {{.code = OP_STORE}};
    static const struct script_instruction other[] = {{.code = OP_STORE, .object = 1}};
    static const struct script script = {
        .tasks = {{one, 1}, {other, 1}}, .task_count = 2, .started = 3};
    const struct analysis_ops *list[] = {&watching_ops};
    struct session *session = calloc(1, sizeof *session);
    struct scripted system;
    assert_non_null(session);
    watching.ops = &watching_ops;
    session->pool = pool_open();
    session->request.options = search_options();
    session->result.search.begun = true;
    snprintf(session->request.options.strategy, STRATEGY_NAME, "%s", strategy);
    scripted_init(&system, &script);
    struct explorer *explorer =
        explorer_open(session, &system.base, strategy_named(strategy), &replay_strategy, list, 1);
    session->request.options.races = RACES_EXPLORE;
    while (explorer_execute(explorer))
        ;
    enum verdict verdict =
        judge(strategy_named(strategy), &session->request.options, &session->result).verdict;
    pool_close(session->pool);
    free(session);
    return verdict;
}

static void states_miss_an_analysis(void **state) {
    (void)state;
    assert_int_equal(verdict_of("optimal"), VERDICT_VERIFIED);
    assert_int_equal(verdict_of("ses"), VERDICT_UNDECIDED);
}

static void states_miss_nothing(void **state) {
    (void)state;
    watching_ops.not_missed = true; /* another analysis finds the same */
    assert_int_equal(verdict_of("ses"), VERDICT_VERIFIED);
    watching_ops.not_missed = false;
    switched_off = true;
    assert_int_equal(verdict_of("ses"), VERDICT_VERIFIED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_miss_an_analysis),
        cmocka_unit_test(states_miss_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
