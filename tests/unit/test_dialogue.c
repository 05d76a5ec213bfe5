/* test_dialogue.c - the interactive engine runs in a thread of its own and is asked step by step.
 * The tests check what it shows, how it goes back, and what it does with decisions that do not fit
 * the program. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/futex.h"
#include "engine/dialogue.h"
#include "unit/walk.h"

static struct walk walk;
static struct dialogue *dialogue;
static pthread_t engine;

static void *run_engine(void *unused) {
    while (explorer_execute(walk.explorer))
        ;
    return unused;
}

static void await_turn(void) {
    while (__atomic_load_n(&dialogue->turn, __ATOMIC_ACQUIRE) != TURN_USER)
        futex_wait(&dialogue->turn, TURN_ENGINE, NULL);
}

static void begin(const struct script *script) {
    struct options options = search_options();
    struct pool *pool = pool_open(); /* used by the dialogue alone */
    options.mode = MODE_SIMULATE;
    options.keep_going = false;
    options.dialogue = dialogue = dialogue_create(pool);
    walk_open(&walk, script, NULL, &options);
    assert_int_equal(pthread_create(&engine, NULL, run_engine, NULL), 0);
    await_turn();
}

static void end(void) {
    struct pool *pool = dialogue->pool;
    walk.session->live.stop = true;
    dialogue_restart(dialogue, NULL, 0);
    assert_int_equal(pthread_join(engine, NULL), 0);
    walk_close(&walk);
    pool_close(pool);
}

static const struct dialogue_task *task_of(uint32_t task) {
    for (uint32_t i = 0; i < dialogue->live_count; i++)
        if (dialogue->live[i].task == task)
            return &dialogue->live[i];
    return NULL;
}

static void move(uint32_t task) {
    const struct dialogue_task *moves = task_of(task);
    assert_non_null(moves);
    assert_true(moves->enabled);
    dialogue_take(dialogue, (uint32_t)(moves - dialogue->live));
    await_turn();
}

static void go_back(const struct decision *decisions, uint32_t count) {
    dialogue_restart(dialogue, decisions, count);
    await_turn();
}

/* Two tasks take two locks in opposite order. */
static const struct script_instruction one[] = {{.code = OP_LOCK, .object = 0},
                                                {.code = OP_LOCK, .object = 1},
                                                {.code = OP_UNLOCK, .object = 1},
                                                {.code = OP_UNLOCK, .object = 0}};
static const struct script_instruction other[] = {{.code = OP_LOCK, .object = 1},
                                                  {.code = OP_LOCK, .object = 0},
                                                  {.code = OP_UNLOCK, .object = 0},
                                                  {.code = OP_UNLOCK, .object = 1}};
static const struct script abba = {.tasks = {{one, 4}, {other, 4}}, .task_count = 2, .started = 3};

static void the_state_is_shown(void **state) {
    (void)state;
    begin(&abba);
    assert_false(dialogue->over);
    assert_int_equal(dialogue->tag, CHOICE_SCHEDULE);
    assert_int_equal(dialogue->count, 2);
    assert_int_equal(task_of(0)->op.kind, OP_LOCK);
    move(0);
    assert_int_equal(dialogue->task, 0);
    assert_true(task_of(1)->enabled);
    move(1);
    /* No task can move: each waits for the other. */
    assert_true(dialogue->over);
    assert_int_equal(dialogue->outcome, OUTCOME_STUCK);
    assert_int_equal(dialogue->live_count, 2);
    assert_false(task_of(0)->enabled);
    assert_int_equal(task_of(0)->holder, 1);
    assert_int_equal(task_of(1)->holder, 0);
    end();
}

static void going_back_and_another_way(void **state) {
    const struct decision first = {.chosen = 0, .count = 2, .tag = CHOICE_SCHEDULE};
    (void)state;
    begin(&abba);
    move(0);
    move(1);
    assert_true(dialogue->over);
    go_back(&first, 1); /* from the end of an execution */
    assert_false(dialogue->over);
    assert_int_equal(walk.session->live.current->decision_count, 1);
    move(0);
    assert_int_equal(task_of(1)->holder, 0);
    assert_false(task_of(1)->enabled);
    go_back(NULL, 0); /* from the middle of an execution */
    assert_int_equal(walk.session->live.current->decision_count, 0);
    assert_int_equal(dialogue->count, 2);
    for (int i = 0; i < 4; i++)
        move(1);
    for (int i = 0; i < 4; i++)
        move(0);
    assert_true(dialogue->over);
    assert_int_equal(dialogue->outcome, OUTCOME_ENDED);
    assert_int_equal(dialogue->live_count, 0);
    /* There is one event for each decision, after the event that announces the second task. */
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(walk.session->live.current->decisions[i].event, i + 2);
    assert_int_equal(walk.session->live.current->event_count, 9);
    end();
}

static void scripts_that_do_not_fit(void **state) {
    const struct decision decisions[] = {
        {.chosen = 0, .count = 2, .tag = CHOICE_SCHEDULE},
        {.chosen = 5, .count = 2, .tag = CHOICE_SCHEDULE}, /* a task that does not exist */
        {.chosen = 0, .count = 2, .tag = CHOICE_SCHEDULE}};
    (void)state;
    begin(&abba);
    go_back(decisions, 3);
    assert_int_equal(dialogue->strayed, 2);
    assert_int_equal(walk.session->live.current->decision_count, 1);
    assert_int_equal(dialogue->live_count, 2);
    move(1); /* from here on the user decides */
    assert_true(dialogue->over);
    go_back(decisions, 1);
    assert_int_equal(dialogue->strayed, 0);
    end();
}

static const struct script_instruction chooses[] = {{.code = OP_CHOOSE, .value = 3},
                                                    {.code = OP_STORE, .object = 0, .value = 1}};
static const struct script choosing = {.tasks = {{chooses, 2}}, .task_count = 1, .started = 1};

static void choices_within_a_step(void **state) {
    const struct decision decisions[] = {{.chosen = 0, .count = 1, .tag = CHOICE_SCHEDULE},
                                         {.chosen = 1, .count = 3, .tag = CHOICE_VALUE}};
    (void)state;
    begin(&choosing);
    move(0);
    assert_int_equal(dialogue->tag, CHOICE_VALUE);
    assert_int_equal(dialogue->count, 3);
    assert_int_equal(dialogue->task, 0);
    go_back(decisions, 1); /* leaves the step in its middle, and comes to the same choice again */
    assert_int_equal(dialogue->tag, CHOICE_VALUE);
    assert_int_equal(walk.session->live.current->decision_count, 1);
    assert_non_null(task_of(0));
    dialogue_take(dialogue, 2);
    await_turn();
    assert_int_equal(dialogue->tag, CHOICE_SCHEDULE);
    assert_int_equal(walk.session->live.current->decisions[1].chosen, 2);
    assert_int_equal(task_of(0)->op.kind, OP_STORE);
    go_back(decisions, 2);
    assert_int_equal(walk.session->live.current->decisions[1].chosen, 1);
    end();
}

static const struct script_instruction asserts[] = {{.code = OP_LOAD, .object = 0},
                                                    {.code = SCRIPT_ASSERT_NOT, .value = 0}};
static const struct script_instruction stores[] = {{.code = OP_STORE, .object = 0, .value = 1}};
static const struct script failing = {
    .tasks = {{asserts, 2}, {stores, 1}}, .task_count = 2, .started = 3};

static void findings_come_and_go(void **state) {
    (void)state;
    begin(&failing);
    assert_int_equal(*dialogue->finding_count, 0);
    move(0);
    assert_true(dialogue->over);
    assert_int_equal(dialogue->outcome, OUTCOME_FAILED);
    assert_int_equal(*dialogue->finding_count, 1);
    assert_int_equal(dialogue->findings[0].kind, FINDING_ASSERTION);
    go_back(NULL, 0);
    assert_int_equal(*dialogue->finding_count, 0);
    move(1);
    move(0);
    assert_int_equal(dialogue->outcome, OUTCOME_ENDED);
    assert_int_equal(*dialogue->finding_count, 0);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_is_shown),      cmocka_unit_test(going_back_and_another_way),
        cmocka_unit_test(scripts_that_do_not_fit), cmocka_unit_test(choices_within_a_step),
        cmocka_unit_test(findings_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
