/* test_sampling.c - strategies that draw executions at random: are the probabilities what they
 * promise?
 *
 * Every count is compared with its expectation. It may be up to five standard deviations away,
 * which a correct strategy exceeds once in 1.7 million. The seeds are fixed, so a test that passes
 * once always passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "strategies/explorers/explorers.h"
#include "unit/answering.h"
#include "unit/random_script.h"
#include "unit/walk.h"

enum { SAMPLES = 20000 };

static const struct script_instruction yields[200] = {[0 ... 199] = {.code = OP_YIELD}};

/* Writes the tasks that moved, in their order, as in "0120". */
static void tasks_that_moved(const struct execution *execution, char *text) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        if (execution->decisions[i].tag == CHOICE_SCHEDULE)
            text[used++] = (char)('0' + execution->decisions[i].chosen);
    text[used] = '\0';
}

/* The number of executions, out of SAMPLES, whose tasks move in this order. */
static uint32_t count_order(const struct script *script, const struct options *options,
                            const char *strategy, const char *order) {
    struct walk walk;
    char text[64];
    uint32_t count = 0;
    walk_open(&walk, script, strategy, options);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        assert_true(explorer_execute(walk.explorer));
        tasks_that_moved(walk.session->live.current, text);
        count += strcmp(text, order) == 0;
    }
    assert_false(walk.session->result.search.exhausted);
    walk_close(&walk);
    return count;
}

static double deviation(double probability) {
    return sqrt(SAMPLES * probability * (1 - probability));
}

static void assert_at_least(uint32_t count, double probability) {
    assert_true(count >= SAMPLES * probability - 5 * deviation(probability));
}

static void assert_about(uint32_t count, double probability) {
    assert_at_least(count, probability);
    assert_true(count <= SAMPLES * probability + 5 * deviation(probability));
}

/* --- pct ------------------------------------------------------------------------------------ */

/* Two tasks take turns. An order in which a task is left d - 1 times although it could go on needs
 * the right first priority and d - 1 changes of priority, each at the right one of k steps. So with
 * n = 2 tasks its probability is 1 / (2 k^(d-1)). With a smaller depth it is 0, and with a larger
 * depth there are further ways to get the order. */
static void pct_keeps_its_promise(void **state) {
    static const char *const orders[] = {"0011", "0110", "0101"};
    const struct script script = {
        .tasks = {{yields, 2}, {yields, 2}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    (void)state;
    options.pct_steps = 4;
    for (uint32_t depth = 1; depth <= 3; depth++) {
        options.pct_depth = depth;
        uint32_t count = count_order(&script, &options, "pct", orders[depth - 1]);
        assert_at_least(count, 1 / (2 * pow(4, depth - 1)));
        for (uint32_t deeper = depth; deeper < 3; deeper++)
            assert_int_equal(count_order(&script, &options, "pct", orders[deeper]), 0);
    }
}

/* A task that is created later draws its priority from the same set. Task 0 creates task 1, then
 * task 2, and has one more step. Of the 3! = 6 orders of their priorities, four can be told
 * apart by which task moves when. The orders 1 > 2 > 0 and 2 > 1 > 0 look alike: together they
 * have 2/6. */
static void pct_new_tasks_get_any_priority(void **state) {
    static const char *const orders[] = {"00012", "00021", "01002", "00201", "01020"};
    static const struct script_instruction parent[] = {
        {.code = OP_CREATE, .object = 1}, {.code = OP_CREATE, .object = 2}, {.code = OP_YIELD}};
    const struct script script = {
        .tasks = {{parent, 3}, {yields, 1}, {yields, 1}}, .task_count = 3, .started = 1};
    struct options options = search_options();
    (void)state;
    options.pct_depth = 1;
    for (uint32_t i = 0; i < 5; i++)
        assert_about(count_order(&script, &options, "pct", orders[i]), i < 4 ? 1.0 / 6 : 1.0 / 3);
}

/* Priorities do not influence choices of values. */
static void pct_draws_values_evenly(void **state) {
    static const struct script_instruction code[] = {{.code = OP_CHOOSE, .value = 3}};
    const struct script script = {.tasks = {{code, 1}}, .task_count = 1, .started = 1};
    const struct options options = search_options();
    uint32_t drawn[3] = {0};
    struct walk walk;
    (void)state;
    walk_open(&walk, &script, "pct", &options);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        explorer_execute(walk.explorer);
        const struct decision *last = &walk.session->live.current->decisions[1];
        assert_int_equal(last->tag, CHOICE_VALUE);
        drawn[last->chosen]++;
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_about(drawn[i], 1.0 / 3);
    walk_close(&walk);
}

/* --- random-deepening ------------------------------------------------------------------------- */

/* Executions have 150 steps. The first stratum has 100 + 3 executions, which end after 100 steps.
 * The second has 100 + 9, which are complete. A stratum's limit is not counted as a cut by
 * --max-steps. */
static void random_deepening_goes_by_strata(void **state) {
    const struct script script = {
        .tasks = {{yields, 100}, {yields, 50}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct walk walk;
    (void)state;
    walk_open(&walk, &script, "random-deepening", &options);
    for (uint32_t i = 0; i < 103 + 109; i++) {
        assert_true(explorer_execute(walk.explorer));
        assert_int_equal(walk.session->live.current->decision_count, i < 103 ? 100 : 150);
    }
    assert_int_equal(walk.session->result.counters.deep_executions, 103);
    assert_int_equal(walk.session->result.counters.executions, 109);
    assert_int_equal(walk.session->result.counters.cut_executions, 0);
    assert_false(walk.session->result.search.exhausted);
    walk_close(&walk);
}

/* --- ss --------------------------------------------------------------------------------------- */

enum { EXECUTIONS_MAX = 4000, DECISIONS_MAX = 24, DELAYS_SAMPLED = 3 };

/* An execution, given by its decisions (the tasks that moved and the values that were chosen), and
 * how often it was drawn. */
struct drawn {
    char decisions[DECISIONS_MAX + 1];
    uint32_t delays, count;
};

/* All executions of a script, with their cost in delays of round robin. The cost follows the
 * definition (seed 001, section 2): there is a queue of tasks. A delay moves the first task to the
 * end. A task that is not enabled goes to the end at no cost. */
struct enumeration {
    struct scripted system;
    struct answering host;
    struct drawn list[EXECUTIONS_MAX];
    uint32_t count, longest;
};

struct queue {
    uint32_t tasks[SCRIPT_TASKS], count;
};

static void queue_rotate(struct queue *queue) {
    uint32_t first = queue->tasks[0];
    memmove(queue->tasks, queue->tasks + 1, (queue->count - 1) * sizeof *queue->tasks);
    queue->tasks[queue->count - 1] = first;
}

static bool is_live(const struct scripted *system, uint32_t task) {
    return system->state.tasks[task].status == TASK_LIVE;
}

/* The queue after a step of its first task. New tasks come to the end. The first task leaves if it
 * has ended, or goes to the end if it cannot go on. */
static struct queue queue_after(const struct queue *before, const struct scripted *system) {
    struct queue after = {.count = 0};
    for (uint32_t i = 0; i < before->count; i++)
        if (is_live(system, before->tasks[i]))
            after.tasks[after.count++] = before->tasks[i];
    for (uint32_t task = 0; task < SCRIPT_TASKS; task++) {
        bool known = false;
        for (uint32_t i = 0; i < before->count; i++)
            known |= before->tasks[i] == task;
        if (!known && is_live(system, task))
            after.tasks[after.count++] = task;
    }
    uint32_t moved = before->tasks[0];
    if (after.count > 0 && after.tasks[0] == moved && !scripted_enabled(system, moved))
        queue_rotate(&after);
    return after;
}

static void enumerate(struct enumeration *self, struct queue queue, const char *decisions,
                      uint32_t delays);

/* The first task of the queue moves, with each combination of answers. Answer n costs n delays. */
static void enumerate_step(struct enumeration *self, const struct queue *queue,
                           const char *decisions, uint32_t delays) {
    const struct scripted here = self->system;
    struct answering answers = self->host;
    answers_first(&answers);
    do {
        char longer[DECISIONS_MAX + 1];
        uint32_t cost = delays, used = (uint32_t)strlen(decisions);
        self->system = here;
        self->system.host = &answers.base;
        scripted_step(&self->system, queue->tasks[0]);
        assert_true(used + 1 + answers.asked <= DECISIONS_MAX);
        memcpy(longer, decisions, used);
        longer[used++] = (char)('0' + queue->tasks[0]);
        for (uint32_t i = 0; i < answers.asked; i++) {
            longer[used++] = (char)('a' + answers.answers[i]);
            cost += answers.answers[i];
        }
        longer[used] = '\0';
        enumerate(self, queue_after(queue, &self->system), longer, cost);
    } while (answers_next(&answers));
    self->system = here;
}

static void enumerate(struct enumeration *self, struct queue queue, const char *decisions,
                      uint32_t delays) {
    uint32_t enabled = 0;
    for (uint32_t i = 0; i < queue.count; i++)
        enabled += scripted_enabled(&self->system, queue.tasks[i]);
    if (enabled == 0) {
        assert_true(self->count < EXECUTIONS_MAX);
        struct drawn *drawn = &self->list[self->count++];
        strcpy(drawn->decisions, decisions);
        drawn->delays = delays;
        if (strlen(decisions) > self->longest)
            self->longest = (uint32_t)strlen(decisions);
        return;
    }
    for (uint32_t i = 0; i < enabled; i++) {
        while (!scripted_enabled(&self->system, queue.tasks[0]))
            queue_rotate(&queue);
        enumerate_step(self, &queue, decisions, delays + i);
        queue_rotate(&queue);
    }
}

static void enumerate_all(struct enumeration *self, const struct script *script) {
    struct queue queue = {.count = 0};
    memset(self, 0, sizeof *self);
    answering_init(&self->host);
    scripted_init(&self->system, script);
    self->system.base.ops->start(&self->system.base, &self->host.base);
    for (uint32_t task = 0; task < script->task_count; task++)
        if (is_live(&self->system, task))
            queue.tasks[queue.count++] = task;
    enumerate(self, queue, "", 0);
}

static struct drawn *find_drawn(struct enumeration *self, const struct execution *execution) {
    char text[DECISIONS_MAX + 1];
    uint32_t used = 0;
    assert_true(execution->decision_count <= DECISIONS_MAX);
    for (uint32_t i = 0; i < execution->decision_count; i++) {
        const struct decision *decision = &execution->decisions[i];
        text[used++] = (char)((decision->tag == CHOICE_SCHEDULE ? '0' : 'a') + decision->chosen);
    }
    text[used] = '\0';
    for (uint32_t i = 0; i < self->count; i++)
        if (strcmp(self->list[i].decisions, text) == 0)
            return &self->list[i];
    return NULL;
}

static uint64_t samples_with(const struct walk *walk, uint32_t delays) {
    const struct sampling *sampling = &walk->session->result.reached.sampling;
    for (uint32_t i = 0; i < sampling->count; i++)
        if (sampling->rows[i].stratum == delays)
            return sampling->rows[i].samples;
    return 0;
}

/* Draws samples with the given number of delays, and counts how often each execution was drawn. */
static void draw(struct enumeration *self, const struct script *script, uint32_t delays) {
    struct options options = search_options();
    struct walk walk;
    strcpy(options.explorer, "rr");
    options.delays = (int32_t)delays;
    walk_open(&walk, script, "ss", &options);
    for (uint64_t before = 0; before < SAMPLES; before = samples_with(&walk, delays)) {
        assert_true(explorer_execute(walk.explorer));
        if (samples_with(&walk, delays) == before)
            continue; /* an execution that prepares a sample, or one of a lower stratum */
        struct drawn *drawn = find_drawn(self, walk.session->live.current);
        assert_non_null(drawn);
        assert_int_equal(drawn->delays, delays);
        drawn->count++;
    }
    assert_false(walk.session->result.search.exhausted);
    walk_close(&walk);
}

static uint64_t count_by_dfs(const struct script *script) {
    const struct options options = search_options();
    struct search search;
    search_script(script, "dfs", &options, &search);
    uint64_t count = search.counters.executions;
    search_free(&search);
    return count;
}

static uint32_t count_with(const struct enumeration *all, uint32_t delays) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        count += all->list[i].delays == delays;
    return count;
}

/* Theorem 3 of seed 001: among the samples with d delays, each execution with d delays has a share
 * of at least 1 / L^d, where L is the length of the longest execution. */
static void assert_theorem_3(struct enumeration *all, const struct script *script) {
    enumerate_all(all, script);
    assert_int_equal(all->count, count_by_dfs(script));
    for (uint32_t delays = 1; delays <= DELAYS_SAMPLED; delays++) {
        assert_true(count_with(all, delays) > 0);
        draw(all, script, delays);
        for (uint32_t i = 0; i < all->count; i++)
            if (all->list[i].delays == delays)
                assert_at_least(all->list[i].count, 1 / pow(all->longest, delays));
    }
}

static struct enumeration all; /* static, because it is large */

/* Two tasks of two steps have 4!/(2!2!) = 6 orders. 0011 needs no delay. 1100 and 0110 need one
 * (after the end of a task the other task moves at no cost). 1001 and 0101 need two, and 1010 needs
 * three. */
static void theorem_3_two_tasks(void **state) {
    static const uint32_t expected[] = {1, 2, 2, 1};
    const struct script script = {
        .tasks = {{yields, 2}, {yields, 2}}, .task_count = 2, .started = 3};
    (void)state;
    assert_theorem_3(&all, &script);
    for (uint32_t delays = 0; delays < 4; delays++)
        assert_int_equal(count_with(&all, delays), expected[delays]);
}

/* There are several delays at one state, tasks that block and are skipped at no cost, and
 * values. */
static void theorem_3_blocking_and_values(void **state) {
    static const struct script_instruction locking[] = {{.code = OP_LOCK}, {.code = OP_UNLOCK}},
                                           choosing[] = {{.code = OP_CHOOSE, .value = 3}};
    const struct script script = {.tasks = {{locking, 2}, {locking, 2}, {choosing, 1}, {yields, 1}},
                                  .task_count = 4,
                                  .started = 15};
    (void)state;
    assert_theorem_3(&all, &script);
}

/* One task is created during the execution, and its parent waits for it. */
static void theorem_3_creation(void **state) {
    static const struct script_instruction parent[] = {
        {.code = OP_CREATE, .object = 1}, {.code = OP_YIELD}, {.code = OP_JOIN, .object = 1}};
    const struct script script = {
        .tasks = {{parent, 3}, {yields, 2}, {yields, 1}}, .task_count = 3, .started = 5};
    (void)state;
    assert_theorem_3(&all, &script);
}

/* --- ses+ss ----------------------------------------------------------------------------------- */

static bool is_part(const struct set *part, const struct set *all) {
    for (size_t i = 0; i < part->count; i++) {
        size_t j = 0;
        while (j < all->count && all->items[j] != part->items[i])
            j++;
        if (j == all->count)
            return false;
    }
    return true;
}

/* With very little memory, ses+ss soon begins to sample. Then it must find nothing that does not
 * exist, and must never claim that it has seen all. With enough memory, it is the same as ses. */
static void sampling_from_the_frontier(void **state) {
    enum { SCRIPTS = 60 };
    static struct random_script random;
    struct random generator;
    uint64_t samples = 0;
    uint32_t sampled = 0;
    (void)state;
    random_seed(&generator, 99);
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        struct options options = search_options();
        struct search every, some, ses;
        random_script(&random, &generator, FLAVOUR_SEARCH, 3, 3 + i % 2);
        options.max_executions = 60000;
        search_script(&random.script, "dfs", &options, &every);
        options.checkpoints = i % 2 ? CHECKPOINTS_OFF : CHECKPOINTS_ON;
        options.memory_limit = 64 << 20;
        search_script(&random.script, "ses+ss", &options, &ses);
        assert_true(ses.exhausted && ses.sampling.samples == 0);
        options.memory_limit = 2048;
        options.max_executions = 3000;
        search_script(&random.script, "ses+ss", &options, &some);
        assert_false(some.diverged);
        assert_true(some.sampling.samples == 0 || !some.exhausted);
        if (every.exhausted) {
            assert_true(set_equal(&ses.finals, &every.finals) &&
                        set_equal(&ses.stuck, &every.stuck));
            assert_true(is_part(&some.finals, &every.finals) &&
                        is_part(&some.stuck, &every.stuck) &&
                        is_part(&some.failures, &every.failures));
        }
        samples += some.sampling.samples;
        sampled += some.sampling.samples > 0;
        search_free(&every);
        search_free(&ses);
        search_free(&some);
    }
    assert_true(sampled > SCRIPTS / 4 && samples > 100 * sampled);
}

/* A broken delay that does nothing, so it does not bring every task to the front. */
static void stuck_delay(void *order) {
    (void)order;
}

static const struct heddle_explorer *make_unsound(struct heddle_explorer *explorer) {
    *explorer = *explorer_named("rr");
    explorer->name = "stuck";
    explorer->delay = stuck_delay;
    return explorer;
}

static void unsound_explorers_are_named(void **state) {
    const struct script script = {
        .tasks = {{yields, 2}, {yields, 2}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct heddle_explorer stuck;
    struct walk walk;
    (void)state;
    explorer_offer("stuck", make_unsound(&stuck));
    strcpy(options.explorer, "stuck");
    walk_open(&walk, &script, "ss", &options);
    while (explorer_execute(walk.explorer))
        ;
    assert_int_equal(walk.session->result.failure.verdict, VERDICT_USAGE);
    assert_non_null(strstr(walk.session->result.failure.text, "'stuck' is not sound"));
    assert_non_null(strstr(walk.session->result.failure.text, "task 1"));
    explorer_offer(NULL, NULL);
    walk_close(&walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pct_keeps_its_promise),
        cmocka_unit_test(pct_new_tasks_get_any_priority),
        cmocka_unit_test(pct_draws_values_evenly),
        cmocka_unit_test(random_deepening_goes_by_strata),
        cmocka_unit_test(theorem_3_two_tasks),
        cmocka_unit_test(theorem_3_blocking_and_values),
        cmocka_unit_test(theorem_3_creation),
        cmocka_unit_test(sampling_from_the_frontier),
        cmocka_unit_test(unsound_explorers_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
