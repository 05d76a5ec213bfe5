/* test_dpor.c - every reduction against the unreduced search: the same final states, deadlocks and failed
 * assertions on random programs over all operation kinds, also within bounds; and optimal has one
 * execution a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/harness.h"
#include "unit/random_script.h"

enum {
    PROGRAMS = 2000,
    FAILING_PROGRAMS = 200,
    RACE_PROGRAMS = 500,
    BOUNDED_PROGRAMS = 500,
    EXECUTIONS_MAX = 5000
};

/* A reduction and the bounds that it keeps to; -1: none. */
struct subject {
    const char *strategy;
    int32_t preemptions, delays;
};

static struct options subject_options(const struct subject *subject) {
    struct options options = search_options();
    options.max_executions = EXECUTIONS_MAX;
    options.preemptions = subject->preemptions;
    options.delays = subject->delays;
    return options;
}

static uint64_t all_of(const struct search *search) {
    return search->counters.executions + search->counters.dropped_executions;
}

/* What would a compare-exchange have found before this atomic section, or before that write of other
 * bytes? Would a receive that wants one message have taken that one, and could it have? Will a timed wait choose to give up, and so change nothing? Are all that a task could choose
 * planned already? Where that is not known two executions of one trace may be explored. */
static bool predictable(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++) {
            uint8_t code = script->tasks[task].code[i].code;
            if (code < OP_KINDS && op_info(code)->class == CLASS_ALL)
                return false;
            if (code == OP_CAS && script->tasks[task].code[i].size != 0)
                return false;
            if ((code == OP_RECEIVE || code == OP_TRY_RECEIVE) &&
                script->tasks[task].code[i].value2 != 0)
                return false;
            if (code == SCRIPT_AWAIT || code == OP_CHOOSE || code == OP_COND_SIGNAL ||
                (code == OP_SEM_WAIT && script->tasks[task].code[i].timed))
                return false;
        }
    return true;
}

static bool same_ends(const struct search *dfs, const struct search *reduced) {
    return set_equal(&dfs->finals, &reduced->finals) && set_equal(&dfs->stuck, &reduced->stuck) &&
           set_equal(&dfs->failures, &reduced->failures);
}

/* Who says that the bound hid nothing must have found what there is without it. */
static bool honest(const struct script *script, const struct search *reduced) {
    struct options options = search_options();
    struct search dfs;
    if (reduced->bound_cut)
        return true;
    options.max_executions = EXECUTIONS_MAX;
    search_script(script, "dfs", &options, &dfs);
    bool honest = !dfs.exhausted || same_ends(&dfs, reduced);
    search_free(&dfs);
    return honest;
}

/* Where a task is parked, or seems to be, every order counts. */
static bool may_park(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++)
            if (script->tasks[task].code[i].code == SCRIPT_AWAIT ||
                script->tasks[task].code[i].code == OP_COND_WAIT)
                return true;
    return false;
}

/* Some execution ends in the middle of a step, by a failure or by an assumption in a section. */
static bool ends_early(const struct script *script, const struct search *dfs) {
    bool sections = false;
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++)
            sections |= script->tasks[task].code[i].code == OP_ATOMIC;
    return dfs->failures.count > 0 || (sections && dfs->counters.dropped_executions > 0);
}

static bool agree_on_what_shows(const struct script *script, const struct search *dfs,
                                const struct search *reduced) {
    bool fatal = ends_early(script, dfs);
    if (!fatal && !set_equal(&dfs->observed, &reduced->observed))
        return false;
    if (!fatal && predictable(script) && !may_park(script) &&
        all_of(reduced) != dfs->observed.count)
        return false;
    return set_equal(&dfs->seen, &reduced->seen) && set_equal(&dfs->failures, &reduced->failures) &&
           !reduced->diverged && reduced->exhausted;
}

static bool agree(const struct script *script, const char *strategy, const struct search *dfs,
                  const struct search *reduced) {
    if (strcmp(strategy, "observers") == 0)
        return agree_on_what_shows(script, dfs, reduced);
    /* Whether a step would have ended the execution elsewhere is not known: of several traces that end
     * in the same failure one is enough. */
    bool fatal = ends_early(script, dfs);
    if (strategy[0] == 'o' && !fatal && !set_equal(&dfs->traces, &reduced->traces))
        return false;
    if (strategy[0] == 'o' && !fatal && predictable(script) && all_of(reduced) != dfs->traces.count)
        return false;
    return same_ends(dfs, reduced) && !reduced->diverged && reduced->exhausted &&
           honest(script, reduced);
}

/* Is there a difference? The unreduced search must come to an end. */
static bool differs(const struct script *script, const struct subject *subject, bool print) {
    struct options options = subject_options(subject);
    struct search dfs, reduced;
    options.checkpoints = CHECKPOINTS_OFF;
    search_script(script, "dfs", &options, &dfs);
    options.checkpoints = CHECKPOINTS_ON;
    search_script(script, subject->strategy, &options, &reduced);
    bool differs = dfs.exhausted && !agree(script, subject->strategy, &dfs, &reduced);
    if (print)
        print_error("%s, preemptions %d, delays %d: finals %zu/%zu stuck %zu/%zu failures %zu/%zu "
                    "seen %zu/%zu; %lu executions, %zu traces, %zu met, observed %zu/%zu, %lu "
                    "blocked%s%s\n",
                    subject->strategy, subject->preemptions, subject->delays, dfs.finals.count,
                    reduced.finals.count, dfs.stuck.count, reduced.stuck.count, dfs.failures.count,
                    reduced.failures.count, dfs.seen.count, reduced.seen.count,
                    (unsigned long)all_of(&reduced), dfs.traces.count, reduced.traces.count,
                    dfs.observed.count, reduced.observed.count,
                    (unsigned long)reduced.counters.blocked_executions,
                    reduced.diverged ? ", diverged" : "",
                    reduced.exhausted ? "" : ", not exhausted");
    search_free(&dfs);
    search_free(&reduced);
    return differs;
}

static bool same_bounds(const struct subject *a, const struct subject *b) {
    return a->preemptions == b->preemptions && a->delays == b->delays;
}

/* The same for several, where those with the same bounds follow each other. */
static bool any_differs(const struct script *script, const struct subject *subjects,
                        uint32_t count) {
    struct search dfs = {0}, reduced;
    bool differs = false;
    for (uint32_t i = 0; i < count && !differs; i++) {
        struct options options = subject_options(&subjects[i]);
        if (i == 0 || !same_bounds(&subjects[i], &subjects[i - 1])) {
            search_free(&dfs);
            options.checkpoints = CHECKPOINTS_OFF;
            search_script(script, "dfs", &options, &dfs);
            options.checkpoints = CHECKPOINTS_ON;
        }
        search_script(script, subjects[i].strategy, &options, &reduced);
        differs = dfs.exhausted && !agree(script, subjects[i].strategy, &dfs, &reduced);
        search_free(&reduced);
    }
    search_free(&dfs);
    return differs;
}

static bool any_differs_or_dies(const struct script *script, const struct subject *subjects,
                                uint32_t count) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        _exit(any_differs(script, subjects, count));
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return status != 0;
}

/* In a process of its own: a failed check is a difference too. */
static bool differs_or_dies(const struct script *script, const struct subject *subject,
                            bool print) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (!print)
            fclose(stderr);
        _exit(differs(script, subject, print));
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return status != 0;
}

static void remove_instruction(struct random_script *program, uint32_t task, uint32_t at) {
    struct script_task *code = &program->script.tasks[task];
    for (code->length--; at < code->length; at++)
        program->code[task][at] = program->code[task][at + 1];
}

static void point_to_own_code(struct random_script *program) {
    for (uint32_t task = 0; task < program->script.task_count; task++)
        program->script.tasks[task].code = program->code[task];
}

static bool remove_one(struct random_script *program, const struct subject *subject) {
    for (uint32_t task = 0; task < program->script.task_count; task++)
        for (uint32_t i = 0;
             i < program->script.tasks[task].length && program->script.tasks[task].length > 1;
             i++) {
            struct random_script less = *program;
            point_to_own_code(&less);
            remove_instruction(&less, task, i);
            if (!differs_or_dies(&less.script, subject, false))
                continue;
            *program = less;
            point_to_own_code(program);
            return true;
        }
    return false;
}

/* A small program that still shows the difference is what one wants to read. */
static void show_smallest(struct random_script *program, const struct subject *subject) {
    while (remove_one(program, subject))
        ;
    print_script(&program->script);
    differs_or_dies(&program->script, subject, true);
    fail();
}

/* Another seed, another campaign. */
static uint64_t seed(void) {
    const char *text = getenv("HEDDLE_TEST_SEED");
    return text ? strtoul(text, NULL, 0) : 3;
}

/* A random program that the unreduced search can go through within the bounds of the first subject. */
static void next_program(struct random *random, uint32_t size, const struct subject *subject,
                         struct random_script *program) {
    struct options options = subject_options(subject);
    bool fits = false;
    while (!fits) {
        struct search dfs;
        uint32_t tasks = 2 + random_below(random, 3);
        random_script(program, random, FLAVOUR_SEARCH, tasks, size - tasks);
        search_script(&program->script, "dfs", &options, &dfs);
        fits = dfs.exhausted && dfs.counters.executions > 1;
        search_free(&dfs);
    }
}

static void compare(const struct subject *subjects, uint32_t count, uint32_t size,
                    uint32_t programs) {
    struct random random;
    random_seed(&random, seed());
    for (; programs > 0; programs--) {
        struct random_script program;
        next_program(&random, size, &subjects[0], &program);
        bool differs = any_differs_or_dies(&program.script, subjects, count);
        for (uint32_t i = 0; differs && i < count; i++)
            if (differs_or_dies(&program.script, &subjects[i], false))
                show_smallest(&program, &subjects[i]);
        assert_false(differs);
    }
}

static const struct subject unbounded[] = {
    {"observers", -1, -1}, {"optimal", -1, -1}, {"source", -1, -1}, {"classic", -1, -1}};

static void same_outcomes_as_dfs(void **state) {
    (void)state;
    compare(unbounded, sizeof unbounded / sizeof *unbounded, 6, PROGRAMS);
}

/* Whether others may move before a failure decides nothing about what fails, and about deadlocks: what others do
 * before it they can also do before the step that it ends. A program may exit there, with a state of its own. */
static bool waiting_matters(const struct search *dfs, struct script *script) {
    struct options options = subject_options(&unbounded[0]);
    struct search waiting;
    script->failures_wait = true;
    search_script(script, "dfs", &options, &waiting);
    bool matters = waiting.exhausted && !(set_equal(&dfs->stuck, &waiting.stuck) &&
                                          set_equal(&dfs->failures, &waiting.failures));
    search_free(&waiting);
    return matters;
}

/* A random program of which some executions fail. */
static void next_failing(struct random *random, struct random_script *program) {
    struct options options = subject_options(&unbounded[0]);
    bool fails = false;
    while (!fails) {
        struct search dfs;
        next_program(random, 6, &unbounded[0], program);
        search_script(&program->script, "dfs", &options, &dfs);
        fails = dfs.failures.count > 0;
        if (fails && waiting_matters(&dfs, &program->script)) {
            print_script(&program->script);
            fail();
        }
        search_free(&dfs);
    }
}

/* With --keep-going a failure is an operation, before which others may move. */
static void same_outcomes_where_failures_wait(void **state) {
    static const struct subject subjects[] = {{"observers", -1, -1},
                                              {"optimal", -1, -1},
                                              {"source", -1, -1},
                                              {"classic", -1, -1},
                                              {"persistent", -1, -1}};
    enum { COUNT = sizeof subjects / sizeof *subjects };
    struct random random;
    (void)state;
    random_seed(&random, seed());
    for (uint32_t programs = 0; programs < FAILING_PROGRAMS; programs++) {
        struct random_script program;
        next_failing(&random, &program);
        if (!any_differs_or_dies(&program.script, subjects, COUNT))
            continue;
        for (uint32_t i = 0; i < COUNT; i++)
            if (differs_or_dies(&program.script, &subjects[i], false))
                show_smallest(&program, &subjects[i]);
        fail();
    }
}

/* Is there a data race? What the reductions leave out must have none of its own: the order of two steps may
 * matter to that alone. */
static bool race_is_found(const struct script *script, const char *strategy, bool checkpoints,
                          bool *complete) {
    struct options options = search_options();
    struct search search;
    options.races = RACES_REPORT;
    options.max_executions = EXECUTIONS_MAX;
    options.checkpoints = checkpoints ? CHECKPOINTS_ON : CHECKPOINTS_OFF;
    search_script(script, strategy, &options, &search);
    bool found = search.findings[FINDING_RACE] > 0;
    *complete = search.exhausted || found;
    search_free(&search);
    return found;
}

static void same_races_as_dfs(void **state) {
    static const char *const names[] = {"observers", "optimal", "source", "classic", "persistent"};
    struct random random;
    uint32_t racy = 0, programs = 0;
    (void)state;
    random_seed(&random, seed());
    while (programs < RACE_PROGRAMS) {
        struct random_script program;
        bool complete;
        uint32_t tasks = 2 + random_below(&random, 3);
        random_script(&program, &random, FLAVOUR_RACES, tasks, 7 - tasks);
        bool race = race_is_found(&program.script, "dfs", false, &complete);
        if (!complete)
            continue;
        programs++;
        racy += race;
        for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (race_is_found(&program.script, names[i], true, &complete) == race)
                continue;
            print_script(&program.script);
            print_error("%s: there is %s race\n", names[i], race ? "a" : "no");
            fail();
        }
    }
    assert_in_range(racy, RACE_PROGRAMS / 10, RACE_PROGRAMS - RACE_PROGRAMS / 10);
}

static void same_outcomes_within_bounds(void **state) {
    static const struct subject subjects[] = {
        {"source", 1, -1}, {"classic", 1, -1}, {"source", 0, -1}, {"classic", 0, -1},
        {"source", 2, -1}, {"classic", 2, -1}, {"source", -1, 0}, {"classic", -1, 0},
        {"source", -1, 1}, {"classic", -1, 1}, {"source", -1, 2}, {"classic", -1, 2}};
    (void)state;
    compare(subjects, sizeof subjects / sizeof *subjects, 7, BOUNDED_PROGRAMS);
}

/* readers(n): the first execution has the write first, and a divergence moves the next reader before it:
 * within b divergences each of the first b readers comes before or after the write, 2^b executions. */
static void divergences_bound_the_tree(void **state) {
    static const struct script_instruction store = {.code = OP_STORE, .value = 1};
    static const struct script_instruction load = {.code = OP_LOAD};
    enum { READERS = 6 };
    struct script script = {.task_count = READERS + 1, .started = (1u << (READERS + 1)) - 1};
    (void)state;
    for (uint32_t i = 0; i <= READERS; i++)
        script.tasks[i] = (struct script_task){i == 0 ? &store : &load, 1};
    for (int32_t bound = 0; bound <= READERS; bound++) {
        struct options options = search_options();
        struct search search;
        options.divergences = bound;
        search_script(&script, "optimal", &options, &search);
        assert_int_equal(search.counters.executions, 1u << bound);
        assert_int_equal(search.bound_cut, bound < READERS);
        search_free(&search);
    }
}

/* Whether task 2 has to wait in its join decides whether leaving it there costs a preemption: the load sees 1
 * only if task 2 comes there before task 1 has ended, which no race of theirs says. */
static void a_join_that_waits_is_free(void **state) {
    static const struct script_instruction yield = {.code = OP_YIELD};
    static const struct script_instruction ends = {.code = OP_STORE, .object = 1, .value = 1};
    static const struct script_instruction joins[] = {{.code = OP_STORE, .value = 1},
                                                      {.code = OP_JOIN, .object = 1},
                                                      {.code = OP_STORE, .value = 2}};
    static const struct script_instruction load = {.code = OP_LOAD};
    const struct script script = {
        .tasks = {{&yield, 1}, {&ends, 1}, {joins, 3}, {&load, 1}}, .task_count = 4, .started = 15};
    static const struct subject subjects[] = {{"source", 0, -1}, {"classic", 0, -1}};
    (void)state;
    for (uint32_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        assert_false(differs(&script, &subjects[i], false));
}

/* Two that race, one more that nobody waits for, and one that joins two of them in the end: with what comes
 * after that, and with somebody else who detaches one of them. */
static void joins_at_the_end(void **state) {
    static const struct script_instruction store = {.code = OP_STORE, .value = 1};
    static const struct script_instruction load = {.code = OP_LOAD};
    static const struct script_instruction detach = {.code = OP_DETACH, .object = 1};
    static const struct script_instruction last[] = {
        {.code = OP_STORE, .value = 2},
        {.code = OP_CHOOSE, .value = 2},
        {.code = SCRIPT_ASSERT_NOT},
        {.code = OP_YIELD},
    };
    static const struct subject optimal = {"optimal", -1, -1};
    (void)state;
    for (uint32_t i = 0; i < sizeof last / sizeof *last; i++) {
        const struct script_instruction joiner[] = {
            {.code = OP_JOIN, .object = 0}, {.code = OP_JOIN, .object = 1}, last[i], last[i]};
        for (uint32_t length = 2; length <= 4; length++) {
            struct script script = {
                .tasks = {{&store, 1}, {&load, 1}, {&load, 1}, {joiner, length}},
                .task_count = 4,
                .started = 15};
            assert_false(differs(&script, &optimal, false));
            script.tasks[2].code = &detach;
            assert_false(differs(&script, &optimal, false));
        }
    }
}

/* Two stores, and a task that joins both; then it looks, without an operation. It sees the last one. */
static void plain_reads_observe(void **state) {
    static const struct script_instruction one = {.code = OP_STORE, .value = 1};
    static const struct script_instruction two = {.code = OP_STORE, .value = 2};
    static const struct script_instruction reader[] = {
        {.code = OP_JOIN, .object = 0},
        {.code = OP_JOIN, .object = 1},
        {.code = SCRIPT_READ},
    };
    struct script script = {
        .tasks = {{&one, 1}, {&two, 1}, {reader, 2}}, .task_count = 3, .started = 7};
    const struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "observers", &options, &search);
    assert_int_equal(search.counters.executions, 1);
    search_free(&search);
    script.tasks[2].length = 3;
    search_script(&script, "observers", &options, &search);
    assert_int_equal(search.counters.executions, 2);
    assert_int_equal(search.seen.count, 2);
    search_free(&search);
}

/* Half of a place is stored to twice, by two tasks each: which of them is last in the first half and in
 * the second is 2 * 2 things to be seen at once. */
static void one_look_at_two_places(void **state) {
    static const struct script_instruction stores[] = {
        {.code = OP_STORE, .size = 4, .value = 1},
        {.code = OP_STORE, .size = 4, .value = 2},
        {.code = OP_STORE, .size = 4, .value = 1, .offset = 4},
        {.code = OP_STORE, .size = 4, .value = 2, .offset = 4},
    };
    static const struct script_instruction reader[] = {
        {.code = OP_JOIN, .object = 0},
        {.code = OP_JOIN, .object = 1},
        {.code = OP_JOIN, .object = 2},
        {.code = OP_JOIN, .object = 3},
        {.code = OP_LOAD},
    };
    struct script script = {
        .tasks = {{stores, 1}, {stores + 1, 1}, {stores + 2, 1}, {stores + 3, 1}, {reader, 5}},
        .task_count = 5,
        .started = 31};
    const struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "observers", &options, &search);
    assert_int_equal(search.counters.executions, 4);
    assert_int_equal(search.seen.count, 4);
    search_free(&search);
}

/* Two tasks store what a parked one has seen already: it can move before both, but not between them. */
static void equal_stores_keep_it_parked(void **state) {
    static const struct script_instruction zero = {.code = OP_STORE};
    static const struct script_instruction one = {.code = OP_STORE, .value = 1};
    static const struct script_instruction await = {.code = SCRIPT_AWAIT, .value = 2};
    const struct script script = {
        .tasks = {{&zero, 1}, {&zero, 1}, {&await, 1}, {&one, 1}}, .task_count = 4, .started = 15};
    (void)state;
    for (uint32_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++)
        assert_false(differs_or_dies(&script, &unbounded[i], false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergences_bound_the_tree),
        cmocka_unit_test(a_join_that_waits_is_free),
        cmocka_unit_test(joins_at_the_end),
        cmocka_unit_test(plain_reads_observe),
        cmocka_unit_test(one_look_at_two_places),
        cmocka_unit_test(equal_stores_keep_it_parked),
        cmocka_unit_test(same_races_as_dfs),
        cmocka_unit_test(same_outcomes_as_dfs),
        cmocka_unit_test(same_outcomes_where_failures_wait),
        cmocka_unit_test(same_outcomes_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
