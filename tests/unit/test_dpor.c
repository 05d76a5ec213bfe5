/* test_dpor.c - every reduction is compared with the unreduced search: the same final states,
 * deadlocks and failed assertions on random programs over all operation kinds, also within bounds.
 * `optimal` must explore exactly one execution for each trace, where traces are counted by their
 * definition (canonical.c). `observers` is compared by what the tasks have seen: memory and
 * messages that are left at the end, and were seen by no task, need not be found in every
 * combination. A program that shows a difference is reduced to a small one before it is printed. */
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
    UNTIL_PROGRAMS = 1000,
    SECTION_PROGRAMS = 1000,
    EXECUTIONS_MAX = 5000
};

/* The table of kinds in place of that of op_kind.c. Two kinds that scripts do not use are
 * SCRIPT_UNTIL here: one that changes its semaphore and one that only reads it. They have what a
 * new kind has at first: it is not followed, and it does not tell what it waits for. */
#define IS_UNTIL(kind) (OP_##kind == OP_SEM_INIT || OP_##kind == OP_SEM_DESTROY)
const struct op_info op_infos[OP_KINDS] = {
#define OP(kind, name, about, class, effect, act, wait, facts) \
    [OP_##kind] = {IS_UNTIL(kind) ? "until" : name, \
                   ABOUT_##about, \
                   CLASS_##class, \
                   OP_##kind == OP_SEM_INIT ? EFFECT_READ : EFFECT_##effect, \
                   IS_UNTIL(kind) ? ACT_NONE : ACT_##act, \
                   IS_UNTIL(kind) ? AWAIT_ANY : AWAIT_##wait, \
                   facts},
#include "event/op_kinds.def"
#undef OP
};

const struct op_subject_info op_subjects[OP_SUBJECTS] = {
#define SUBJECT(subject, noun, waited_for) [ABOUT_##subject] = {noun, waited_for},
#include "event/op_subjects.def"
#undef SUBJECT
};

/* A reduction and the bounds that it is given. -1 means no bound. */
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

static bool has_sections(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++)
            if (script->tasks[task].code[i].code == OP_ATOMIC)
                return true;
    return false;
}

/* Does the section that begins there touch the same places in every execution? */
static bool touches_the_same(const struct script_task *task, uint32_t at) {
    for (at++; at < task->length && task->code[at].code != SCRIPT_SECTION_END; at++) {
        uint8_t code = task->code[at].code;
        bool access = code == SCRIPT_READ || code == SCRIPT_WRITE ||
                      (code < OP_KINDS && op_info(code)->class == CLASS_MEMORY);
        if (!access || code == OP_CAS)
            return false;
    }
    return true;
}

/* Can a strategy predict how each operation would behave in another order? Six questions have no
 * sure answer:
 * - Would a compare-exchange have succeeded before an atomic section, or before a write to other
 * bytes of its place?
 * - Which places does an atomic section touch, if that depends on what it reads? It counts as
 * touching all of them.
 * - Would a receive that wants one particular message have found and taken it?
 * - Will a timed wait give up, and so change nothing?
 * - Would a task have been blocked, if it is not known what its operation waits for?
 * - Are all the values that a task may choose planned already?
 * Without an answer, two executions of one trace may be explored. */
static bool predictable(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++) {
            uint8_t code = script->tasks[task].code[i].code;
            if (code == SCRIPT_UNTIL)
                return false;
            if (code == OP_ATOMIC && !touches_the_same(&script->tasks[task], i))
                return false;
            if (code < OP_KINDS && code != OP_ATOMIC &&
                (op_info(code)->class == CLASS_ALL || op_info(code)->wait == AWAIT_ANY))
                return false;
            if (code == OP_CAS && (script->tasks[task].code[i].size != 0 || has_sections(script)))
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

/* If a search says that its bound hid nothing, it must have found what the unbounded search
 * finds. */
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

/* True if a task may be parked, or may seem to be. Then every order of the stores counts. */
static bool may_park(const struct script *script) {
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++) {
            uint8_t code = script->tasks[task].code[i].code;
            if (code == SCRIPT_AWAIT || code == SCRIPT_UNTIL || code == OP_COND_WAIT ||
                (code < OP_KINDS && op_info(code)->wait == AWAIT_ANY))
                return true;
        }
    return false;
}

/* True if some execution ends in the middle of a step, by a failure or by an assumption in a
 * section. */
static bool ends_early(const struct script *script, const struct search *dfs) {
    return dfs->failures.count > 0 ||
           (has_sections(script) && dfs->counters.dropped_executions > 0);
}

static bool agree_on_what_shows(const struct script *script, const struct search *dfs,
                                const struct search *reduced) {
    bool fatal = ends_early(script, dfs);
    if (!fatal && !set_equal(&dfs->observed, &reduced->observed))
        return false;
    if (!fatal && predictable(script) && !may_park(script) && !has_sections(script) &&
        all_of(reduced) != dfs->observed.count)
        return false;
    return set_equal(&dfs->seen, &reduced->seen) && set_equal(&dfs->failures, &reduced->failures) &&
           !reduced->diverged && reduced->exhausted;
}

static bool agree(const struct script *script, const char *strategy, const struct search *dfs,
                  const struct search *reduced) {
    if (strcmp(strategy, "observers") == 0)
        return agree_on_what_shows(script, dfs, reduced);
    /* It is not known whether the step would have ended the execution in another order too. So of
     * several traces that end in the same failure, one is enough. */
    bool fatal = ends_early(script, dfs);
    if (strategy[0] == 'o' && !fatal && !set_equal(&dfs->traces, &reduced->traces))
        return false;
    if (strategy[0] == 'o' && !fatal && predictable(script) && all_of(reduced) != dfs->traces.count)
        return false;
    return same_ends(dfs, reduced) && !reduced->diverged && reduced->exhausted &&
           honest(script, reduced);
}

/* True if the reduction differs from the unreduced search, provided that the unreduced search comes
 * to an end. */
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

/* The same for several subjects. Subjects with the same bounds must follow each other, because they
 * share one unreduced search. */
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

/* Compares in a process of its own, so that a failed CHECK counts as a difference too. */
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

/* Reduces the program as long as it still shows the difference, and prints the smallest one. */
static void show_smallest(struct random_script *program, const struct subject *subject) {
    while (remove_one(program, subject))
        ;
    print_script(&program->script);
    differs_or_dies(&program->script, subject, true);
    fail();
}

/* The seed of the random programs. Set HEDDLE_TEST_SEED to test with other programs. */
static uint64_t seed(void) {
    const char *text = getenv("HEDDLE_TEST_SEED");
    return text ? strtoul(text, NULL, 0) : 3;
}

/* A random program that the unreduced search can explore completely within the bounds of the first
 * subject. */
static void next_program(struct random *random, enum script_flavour flavour, uint32_t size,
                         const struct subject *subject, struct random_script *program) {
    struct options options = subject_options(subject);
    bool fits = false;
    while (!fits) {
        struct search dfs;
        uint32_t tasks = 2 + random_below(random, 3);
        random_script(program, random, flavour, tasks, size - tasks);
        search_script(&program->script, "dfs", &options, &dfs);
        fits = dfs.exhausted && dfs.counters.executions > 1;
        search_free(&dfs);
    }
}

static void compare(const struct subject *subjects, uint32_t count, enum script_flavour flavour,
                    uint32_t size, uint32_t programs) {
    struct random random;
    random_seed(&random, seed());
    for (; programs > 0; programs--) {
        struct random_script program;
        next_program(&random, flavour, size, &subjects[0], &program);
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
    compare(unbounded, sizeof unbounded / sizeof *unbounded, FLAVOUR_SEARCH, 6, PROGRAMS);
}

static void same_outcomes_of_sections(void **state) {
    (void)state;
    compare(unbounded, sizeof unbounded / sizeof *unbounded, FLAVOUR_SECTIONS, 6, SECTION_PROGRAMS);
}

/* Operations that other tasks enable and disable any number of times, and of which nothing else is
 * known. */
static void same_outcomes_of_any_wait(void **state) {
    (void)state;
    compare(unbounded, sizeof unbounded / sizeof *unbounded, FLAVOUR_UNTIL, 6, UNTIL_PROGRAMS);
}

/* With failures_wait, other tasks may move before a failure. This must change neither the failures
 * nor the deadlocks: whatever others do before the failure, they can also do before the step that
 * fails. Final states may differ, because the program may exit before the failure. */
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

/* A random program some of whose executions fail. */
static void next_failing(struct random *random, struct random_script *program) {
    struct options options = subject_options(&unbounded[0]);
    bool fails = false;
    while (!fails) {
        struct search dfs;
        next_program(random, FLAVOUR_SEARCH, 6, &unbounded[0], program);
        search_script(&program->script, "dfs", &options, &dfs);
        fails = dfs.failures.count > 0;
        if (fails && waiting_matters(&dfs, &program->script)) {
            print_script(&program->script);
            fail();
        }
        search_free(&dfs);
    }
}

/* With --keep-going, a failure is an operation of its own, and other tasks may move before it. */
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

/* Is there a data race? The executions that a reduction leaves out must contain no race that the
 * others do not show, although only the race analysis may depend on the order of two steps. */
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

static void compare_races(enum script_flavour flavour) {
    static const char *const names[] = {"observers", "optimal", "source", "classic", "persistent"};
    struct random random;
    uint32_t racy = 0, programs = 0;
    random_seed(&random, seed());
    while (programs < RACE_PROGRAMS) {
        struct random_script program;
        bool complete;
        uint32_t tasks = 2 + random_below(&random, 3);
        random_script(&program, &random, flavour, tasks, 7 - tasks);
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

static void same_races_as_dfs(void **state) {
    (void)state;
    compare_races(FLAVOUR_RACES);
}

static void same_races_of_sections(void **state) {
    (void)state;
    compare_races(FLAVOUR_SECTION_RACES);
}

static void same_outcomes_within_bounds(void **state) {
    static const struct subject subjects[] = {
        {"source", 1, -1}, {"classic", 1, -1}, {"source", 0, -1}, {"classic", 0, -1},
        {"source", 2, -1}, {"classic", 2, -1}, {"source", -1, 0}, {"classic", -1, 0},
        {"source", -1, 1}, {"classic", -1, 1}, {"source", -1, 2}, {"classic", -1, 2}};
    (void)state;
    compare(subjects, sizeof subjects / sizeof *subjects, FLAVOUR_SEARCH, 7, BOUNDED_PROGRAMS);
    compare(subjects, sizeof subjects / sizeof *subjects, FLAVOUR_UNTIL, 6, UNTIL_PROGRAMS / 5);
}

/* readers(n): the first execution has the write first, and each divergence moves the next reader
 * before the write. So within b divergences, each of the first b readers comes before or after the
 * write: 2^b executions. */
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

/* A preemption is counted when a task is left although it could go on. Leaving task 2 at its join
 * is free only if task 2 has to wait there. So without preemptions the load sees 1 only if task 2
 * comes to its join before task 1 has ended, and no race between their operations tells the search
 * so. */
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

/* Two tasks race, and no other task waits for a third one. The last task joins two of these three
 * at the end. The variants differ in what follows the joins, in whether the third task detaches one
 * of them, and in whether the last task has made a step before. */
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
        const struct script_instruction joiner[] = {{.code = OP_YIELD},
                                                    {.code = OP_JOIN, .object = 0},
                                                    {.code = OP_JOIN, .object = 1},
                                                    last[i],
                                                    last[i]};
        for (uint32_t length = 2; length <= 5; length++) {
            uint32_t begin = length < 5;
            struct script script = {
                .tasks = {{&store, 1}, {&load, 1}, {&load, 1}, {joiner + begin, length}},
                .task_count = 4,
                .started = 15};
            assert_false(differs(&script, &optimal, false));
            script.tasks[2].code = &detach;
            assert_false(differs(&script, &optimal, false));
        }
    }
}

/* The last task joins all others. What it does then is left out of the history, unless it starts
 * another task, which races with it. */
static void steps_behind_joins(void **state) {
    static const struct script_instruction store = {.code = OP_STORE, .value = 1};
    static const struct script_instruction load = {.code = OP_LOAD};
    static const struct script_instruction late[] = {{.code = OP_LOCK}, {.code = OP_LOAD}};
    static const struct script_instruction next[] = {
        {.code = OP_STORE, .value = 2},
        {.code = OP_LOAD},
        {.code = OP_LOCK},
        {.code = OP_UNLOCK},
        {.code = OP_TRYLOCK},
        {.code = OP_CREATE, .object = 3},
    };
    enum { NEXT = sizeof next / sizeof *next };
    static const struct subject optimal = {"optimal", -1, -1};
    (void)state;
    for (uint32_t i = 0; i < NEXT * NEXT * NEXT; i++) {
        const struct script_instruction joiner[] = {
            {.code = OP_YIELD},
            {.code = OP_JOIN, .object = 0},
            {.code = OP_JOIN, .object = 1},
            next[i % NEXT],
            next[i / NEXT % NEXT],
            next[i / NEXT / NEXT],
            {.code = OP_STORE, .value = 3},
        };
        const struct script script = {.tasks = {{&store, 1}, {&load, 1}, {joiner, 7}, {late, 2}},
                                      .task_count = 4,
                                      .started = 7};
        assert_false(differs(&script, &optimal, false));
    }
}

/* Two tasks store, and a third one joins both. Then the third task reads the place without an
 * operation, and sees the last store. */
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

/* Each half of a place is stored to by two tasks. One load sees which store was last in the first
 * half and which in the second: 2 * 2 = 4 results. */
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

/* Two tasks store the value that a parked task has already seen. The parked task can move before
 * both stores, but not between them. */
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

/* The first operation on the semaphore is not followed, so it does not tell the count. The wait
 * behind it never goes on, and must not be planned before it. */
static void nobody_knows_the_count(void **state) {
    static const struct script_instruction until = {.code = SCRIPT_UNTIL, .object2 = OP_SEM_INIT};
    static const struct script_instruction wait = {.code = OP_SEM_WAIT};
    const struct script script = {
        .tasks = {{&until, 1}, {&wait, 1}}, .task_count = 2, .started = 3};
    (void)state;
    for (uint32_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++)
        assert_false(differs_or_dies(&script, &unbounded[i], false));
}

/* Three posts, and a task that waits until their number is odd: it goes on after any one of them,
 * or after all. */
static void enabled_and_disabled_by_others(void **state) {
    static const struct script_instruction post = {.code = OP_SEM_POST};
    static const struct script_instruction until = {
        .code = SCRIPT_UNTIL, .object2 = OP_SEM_INIT, .value = 1};
    const struct script script = {
        .tasks = {{&post, 1}, {&post, 1}, {&until, 1}, {&post, 1}}, .task_count = 4, .started = 15};
    (void)state;
    for (uint32_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++)
        assert_false(differs_or_dies(&script, &unbounded[i], false));
}

/* The first section of task 1 stores only if it reads 0. So whether it depends on task 3 changes with
 * the order of tasks 0 and 2. If dependence went by what the section touches in one execution,
 * source would lose a trace. */
static void a_section_that_may_store(void **state) {
    static const struct script_instruction writer[] = {
        {.code = OP_ATOMIC},
        {.code = SCRIPT_WRITE, .object = 1, .value = 1},
        {.code = SCRIPT_SECTION_END}};
    static const struct script_instruction varying[] = {
        {.code = OP_ATOMIC},
        {.code = OP_LOAD, .object = 1},
        {.code = SCRIPT_SKIP_IF, .value = 1, .value2 = 1},
        {.code = OP_STORE},
        {.code = SCRIPT_SECTION_END},
        {.code = OP_ATOMIC},
        {.code = SCRIPT_READ},
        {.code = SCRIPT_SECTION_END},
    };
    static const struct script_instruction exchange = {.code = OP_CAS, .object = 1, .value = 1};
    static const struct script_instruction store = {.code = OP_STORE, .value = 1};
    const struct script script = {.tasks = {{writer, 3}, {varying, 8}, {&exchange, 1}, {&store, 1}},
                                  .task_count = 4,
                                  .started = 15};
    (void)state;
    for (uint32_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++)
        assert_false(differs_or_dies(&script, &unbounded[i], false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_that_may_store),
        cmocka_unit_test(divergences_bound_the_tree),
        cmocka_unit_test(a_join_that_waits_is_free),
        cmocka_unit_test(joins_at_the_end),
        cmocka_unit_test(steps_behind_joins),
        cmocka_unit_test(plain_reads_observe),
        cmocka_unit_test(one_look_at_two_places),
        cmocka_unit_test(equal_stores_keep_it_parked),
        cmocka_unit_test(nobody_knows_the_count),
        cmocka_unit_test(enabled_and_disabled_by_others),
        cmocka_unit_test(same_races_as_dfs),
        cmocka_unit_test(same_races_of_sections),
        cmocka_unit_test(same_outcomes_as_dfs),
        cmocka_unit_test(same_outcomes_of_sections),
        cmocka_unit_test(same_outcomes_of_any_wait),
        cmocka_unit_test(same_outcomes_where_failures_wait),
        cmocka_unit_test(same_outcomes_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
