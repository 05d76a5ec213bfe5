/* test_bounded.c - bounds on preemptions and delays, compared with a recursion over saved states
 * that counts the executions within a bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "unit/answering.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 300, EXECUTIONS_MAX = 5000 };

struct recursion {
    struct scripted *system;
    struct answering *host;
    enum bound_kind kind;
    uint32_t bound;
    uint64_t executions, limit;
};

static bool is_voluntary(const struct op *op) {
    return op->kind == OP_YIELD || op->kind == OP_SLEEP || op->kind == OP_COND_SLEEP;
}

static uint32_t preemptions(const struct choice *choice, uint32_t option) {
    for (uint32_t i = 0; i < choice->count; i++)
        if (choice->pending[i].task == choice->task)
            return i != option && !is_voluntary(choice->pending[i].op);
    return 0;
}

/* The number of enabled tasks that come before this option, going round from the task that moved
 * last. */
static uint32_t delays(const struct choice *choice, uint32_t option) {
    uint32_t skipped = 0, first = 0;
    while (first < choice->count && choice->task != NO_TASK &&
           choice->pending[first].task < choice->task)
        first++;
    if (first < choice->count && choice->pending[first].task == choice->task &&
        is_voluntary(choice->pending[first].op))
        first++;
    for (uint32_t i = first % choice->count; i != option; i = (i + 1) % choice->count)
        skipped++;
    return skipped;
}

static uint32_t cost(enum bound_kind kind, const struct choice *choice, uint32_t option) {
    return kind == BOUND_DELAYS ? delays(choice, option) : preemptions(choice, option);
}

/* Counts the leaves of the tree below this state that cost at most `bound` in all. */
static void recurse(struct recursion *self, uint32_t moved, uint32_t used) {
    struct system *system = &self->system->base;
    struct choice choice;
    struct scripted here = *self->system;
    self->system->moved = moved;
    system->ops->pending(system, &choice);
    if (system->ops->outcome(system) != OUTCOME_RUNNING || choice.count == 0) {
        self->executions++;
        return;
    }
    for (uint32_t i = 0; i < choice.count && self->executions < self->limit; i++) {
        uint32_t task = choice.pending[i].task, now = used + cost(self->kind, &choice, i);
        if (now > self->bound)
            continue;
        struct answering answers = *self->host;
        answers_first(&answers);
        do {
            *self->system = here;
            self->system->host = &answers.base;
            scripted_step(self->system, task);
            recurse(self, task, now);
        } while (answers_next(&answers));
        *self->system = here;
        self->system->moved = moved;
        system->ops->pending(system, &choice);
    }
}

static uint64_t count_by_recursion(const struct script *script, struct bound bound,
                                   uint64_t limit) {
    struct answering host;
    struct scripted system;
    struct recursion recursion = {&system, &host, bound.kind, bound.limit, 0, limit};
    answering_init(&host);
    scripted_init(&system, script);
    system.base.ops->start(&system.base, &host.base);
    recurse(&recursion, NO_TASK, 0);
    return recursion.executions;
}

static uint64_t all_executions(const struct counters *counters) {
    return counters->executions + counters->dropped_executions;
}

/* Two tasks of two operations have 6 orders. 0011 and 1100 need no preemption. 0110 and 1001 need
 * one, because the first task could have gone on. 0101 and 1010 need two. */
static void preemptions_of_two_by_two(void **state) {
    static const struct script_instruction code[] = {{.code = OP_STORE}, {.code = OP_STORE}};
    struct script script = {.tasks = {{code, 2}, {code, 2}}, .task_count = 2, .started = 3};
    static const uint32_t expected[] = {2, 4, 6, 6};
    (void)state;
    for (int32_t bound = 0; bound < 4; bound++) {
        struct options options = search_options();
        struct search search;
        options.preemptions = bound;
        search_script(&script, "dfs", &options, &search);
        assert_int_equal(search.counters.executions, expected[bound]);
        assert_int_equal(search.bound_cut, bound < 2);
        search_free(&search);
    }
}

/* The same 6 orders by delays. The default order 0011 needs none. 0110 delays task 0 once after its
 * first step, and 1100 once at the start. 0101 delays at the second and at the third step. 1001
 * delays at the start and again after task 1's first step: 1 + 1 = 2. 1010 adds one more: 3. */
static void delays_of_two_by_two(void **state) {
    static const struct script_instruction code[] = {{.code = OP_STORE}, {.code = OP_STORE}};
    struct script script = {.tasks = {{code, 2}, {code, 2}}, .task_count = 2, .started = 3};
    static const uint32_t expected[] = {1, 3, 5, 6, 6};
    (void)state;
    for (int32_t bound = 0; bound < 5; bound++) {
        struct options options = search_options();
        struct search search;
        options.delays = bound;
        search_script(&script, "dfs", &options, &search);
        assert_int_equal(search.counters.executions, expected[bound]);
        assert_int_equal(search.bound_cut, bound < 3);
        search_free(&search);
    }
}

static void agree_with_a_recursion(enum bound_kind kind) {
    struct random random;
    struct random_script program;
    uint32_t compared = 0;
    random_seed(&random, 3);
    while (compared < PROGRAMS) {
        uint32_t tasks = 2 + random_below(&random, 2);
        random_script(&program, &random, FLAVOUR_SEARCH, tasks, 5 - tasks);
        uint64_t all =
            count_by_recursion(&program.script, (struct bound){kind, UINT32_MAX}, EXECUTIONS_MAX);
        if (all >= EXECUTIONS_MAX || all < 2)
            continue;
        for (uint32_t limit = 0; limit < 4; limit++) {
            const struct bound bound = {kind, limit};
            struct options options = search_options();
            struct search search;
            bound_set(&options, bound);
            search_script(&program.script, "dfs", &options, &search);
            uint64_t expected = count_by_recursion(&program.script, bound, UINT64_MAX);
            assert_true(search.exhausted && !search.diverged);
            assert_int_equal(all_executions(&search.counters), expected);
            assert_int_equal(search.bound_cut, expected < all);
            search_free(&search);
        }
        compared++;
    }
}

static void preemptions_agree_with_a_recursion(void **state) {
    (void)state;
    agree_with_a_recursion(BOUND_PREEMPTIONS);
}

static void delays_agree_with_a_recursion(void **state) {
    (void)state;
    agree_with_a_recursion(BOUND_DELAYS);
}

/* Deepening searches within one bound after the other until a bound hides nothing. Each of these
 * searches is the same as a search that is given that bound alone. */
static void deepening(void **state) {
    static const struct script_instruction code[] = {{.code = OP_STORE}, {.code = OP_STORE}};
    struct script script = {.tasks = {{code, 2}, {code, 2}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct search search;
    (void)state;
    options.deepen = BOUND_PREEMPTIONS;
    search_script(&script, "dfs", &options, &search);
    assert_int_equal(search.counters.executions, 2 + 4 + 6); /* as above */
    assert_true(search.exhausted && !search.bound_cut);
    search_free(&search);
    options.preemptions = 1;
    search_script(&script, "dfs", &options, &search);
    assert_int_equal(search.counters.executions, 2 + 4);
    assert_true(search.exhausted && search.bound_cut);
    search_free(&search);
}

/* The bound also holds for the random walk: it reaches the same final states as the bounded dfs. */
static void preemptions_bound_random(void **state) {
    static const struct script_instruction code[] = {
        {.code = OP_RMW, .value = 1}, {.code = OP_RMW, .value = 2}, {.code = OP_RMW, .value = 3}};
    struct script script = {.tasks = {{code, 3}, {code, 3}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct search dfs, walks;
    (void)state;
    options.preemptions = 1;
    search_script(&script, "dfs", &options, &dfs);
    options.max_executions = 1000;
    search_script(&script, "random", &options, &walks);
    assert_true(set_equal(&dfs.finals, &walks.finals));
    assert_true(walks.bound_cut);
    search_free(&dfs);
    search_free(&walks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preemptions_of_two_by_two),
        cmocka_unit_test(delays_of_two_by_two),
        cmocka_unit_test(preemptions_agree_with_a_recursion),
        cmocka_unit_test(delays_agree_with_a_recursion),
        cmocka_unit_test(deepening),
        cmocka_unit_test(preemptions_bound_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
