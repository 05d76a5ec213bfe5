/* test_minimise.c - the smallest schedule, the critical step and the nearest passing schedule, against all
 * executions of small random programs, counted one by one: `dfs` lists them, and here is looked up which
 * one fails how, how large it is, and which pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/analyses.h"
#include "base/check.h"
#include "strategies/follow.h"
#include "strategies/minimise/way.h"
#include "strategies/strategies.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 900, EXECUTIONS_MAX = 3000, BUGS_MAX = 32, TASKS = 3, OPERATIONS = 4 };

/* --- all executions --- */

struct listed {
    struct decision *decisions;
    uint32_t count;
    struct measure measure;
};

struct list {
    struct listed *entries;
    size_t count, capacity;
};

/* One bug: of all executions that show it, the fewest switches, and the one with the most. */
struct bug {
    uint64_t signature;
    uint32_t fewest, most;
    struct finding finding;
    struct execution found;
    struct list failing;
};

static struct bug bugs[BUGS_MAX];
static uint32_t bug_count;
static struct list passing;

enum { DECISIONS_MAX = 256 };
static bool preempts[DECISIONS_MAX]; /* decisions of the execution under way */

static uint32_t count_switches(const struct execution *execution) {
    uint32_t count = 0, moved = NO_TASK;
    for (uint32_t i = 0; i < execution->decision_count; i++) {
        const struct decision *decision = &execution->decisions[i];
        if (decision->tag != CHOICE_SCHEDULE)
            continue;
        count += moved != NO_TASK && moved != decision->chosen;
        moved = decision->chosen;
    }
    return count;
}

static uint32_t count_tasks(const struct execution *execution) {
    uint64_t moved = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        if (execution->decisions[i].tag == CHOICE_SCHEDULE)
            moved |= (uint64_t)1 << execution->decisions[i].chosen;
    return (uint32_t)__builtin_popcountll(moved);
}

static struct measure measure_of(const struct execution *execution) {
    struct measure measure = {.switches = count_switches(execution),
                              .tasks = count_tasks(execution)};
    for (uint32_t i = 0; i < execution->decision_count; i++) {
        measure.steps += execution->decisions[i].tag == CHOICE_SCHEDULE;
        measure.preemptions += preempts[i];
    }
    return measure;
}

static void list_add(struct list *list, const struct execution *execution) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->entries = realloc(list->entries, list->capacity * sizeof *list->entries);
        assert_non_null(list->entries);
    }
    struct listed *entry = &list->entries[list->count++];
    entry->count = execution->decision_count;
    entry->measure = measure_of(execution);
    entry->decisions = malloc(entry->count * sizeof *entry->decisions + 1);
    assert_non_null(entry->decisions);
    if (entry->count > 0)
        memcpy(entry->decisions, execution->decisions, entry->count * sizeof *entry->decisions);
}

static const struct listed *list_find(const struct list *list, const struct execution *execution) {
    for (size_t i = 0; i < list->count; i++) {
        const struct listed *entry = &list->entries[i];
        if (entry->count == execution->decision_count &&
            follow_common(entry->decisions, entry->count, execution) == entry->count)
            return entry;
    }
    return NULL;
}

static void list_clear(struct list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].decisions);
    free(list->entries);
    *list = (struct list){0};
}

static struct bug *bug_of(uint64_t signature) {
    for (uint32_t i = 0; i < bug_count; i++)
        if (bugs[i].signature == signature)
            return &bugs[i];
    assert_true(bug_count < BUGS_MAX);
    bugs[bug_count] = (struct bug){.signature = signature, .fewest = UINT32_MAX};
    return &bugs[bug_count++];
}

static void list_bug(const struct finding *finding, const struct execution *execution) {
    struct bug *bug = bug_of(finding_signature(finding));
    uint32_t switches = count_switches(execution);
    list_add(&bug->failing, execution);
    if (switches < bug->fewest)
        bug->fewest = switches;
    if (bug->found.pool != NULL && switches <= bug->most)
        return;
    bug->most = switches;
    bug->finding = *finding;
    if (bug->found.pool == NULL)
        execution_init(&bug->found, execution->pool);
    execution_copy(&bug->found, execution);
}

/* The task that moved last wants to go on, and another one moves. */
static bool is_preemption(const struct choice *choice, uint32_t option) {
    for (uint32_t i = 0; choice->tag == CHOICE_SCHEDULE && i < choice->count; i++) {
        enum op_kind kind = choice->pending[i].op->kind;
        if (choice->pending[i].task == choice->task)
            return i != option && kind != OP_YIELD && kind != OP_SLEEP && kind != OP_COND_SLEEP;
    }
    return false;
}

static uint32_t listing_pick(struct strategy *self, const struct choice *choice) {
    uint32_t option = dfs_strategy.pick(self, choice), at = self->execution->decision_count;
    assert_true(at < DECISIONS_MAX);
    preempts[at] = option < choice->count && is_preemption(choice, option);
    return option;
}

static void listing_end(struct strategy *self, enum outcome outcome, const struct choice *last) {
    for (uint32_t i = 0; i < self->finding_count; i++)
        list_bug(&self->findings[i], self->execution);
    if (self->finding_count == 0 && outcome == OUTCOME_ENDED)
        list_add(&passing, self->execution);
    dfs_strategy.end(self, outcome, last);
}

static struct strategy_ops listing_ops;

static struct strategy *listing_create(struct pool *pool, const struct options *options) {
    struct strategy *self = dfs_strategy.create(pool, options);
    self->ops = &listing_ops;
    return self;
}

/* --- a session of a script --- */

struct lab {
    struct session *session;
    struct scripted system;
    struct explorer *explorer;
};

static void lab_open(struct lab *lab, const struct script *script, const struct options *options,
                     const struct strategy_ops *strategy) {
    static const struct analysis_ops *const list[] = {&race_analysis, &deadlock_analysis};
    lab->session = calloc(1, sizeof *lab->session);
    assert_non_null(lab->session);
    lab->session->pool = pool_open();
    lab->session->options = *options;
    lab->session->options.mode = MODE_MINIMISE;
    execution_init(&lab->session->minimised.smallest, lab->session->pool);
    execution_init(&lab->session->minimised.passing, lab->session->pool);
    scripted_init(&lab->system, script);
    lab->explorer =
        explorer_open(lab->session, &lab->system.base, strategy, &replay_strategy, list, 2);
}

static void lab_close(struct lab *lab) {
    pool_close(lab->session->pool);
    free(lab->session);
}

static void forget_all(void) {
    for (uint32_t i = 0; i < bug_count; i++)
        list_clear(&bugs[i].failing);
    bug_count = 0;
    list_clear(&passing);
}

/* False if there are too many executions to look at them all. The bugs live as long as the lab. */
static bool list_all(struct lab *lab, const struct script *script, const struct options *options) {
    struct options all = *options;
    listing_ops = dfs_strategy;
    listing_ops.create = listing_create;
    listing_ops.pick = listing_pick;
    listing_ops.end = listing_end;
    forget_all();
    all.max_executions = 0;
    lab_open(lab, script, &all, &listing_ops);
    while (session_begun(&lab->session->counters) < EXECUTIONS_MAX)
        if (!explorer_execute(lab->explorer))
            return lab->session->exhausted;
    return false;
}

/* --- what must hold --- */

/* As many decisions as any passing execution shares with it. */
static uint32_t longest_common(const struct execution *execution) {
    uint32_t longest = 0;
    for (size_t i = 0; i < passing.count; i++) {
        const struct listed *entry = &passing.entries[i];
        uint32_t common = follow_common(entry->decisions, entry->count, execution);
        longest = common > longest ? common : longest;
    }
    return longest;
}

static uint32_t same_events(const struct execution *a, const struct execution *b) {
    uint32_t at = 0;
    while (at < a->event_count && at < b->event_count && a->events[at].task == b->events[at].task &&
           a->events[at].op.kind == b->events[at].op.kind &&
           a->events[at].op.object == b->events[at].op.object)
        at++;
    return at;
}

static void check_passing(const struct minimised *minimised) {
    const struct execution *smallest = &minimised->smallest;
    uint32_t common =
        follow_common(minimised->passing.decisions, minimised->passing.decision_count, smallest);
    assert_non_null(list_find(&passing, &minimised->passing));
    assert_true(common <= longest_common(smallest));
    if (minimised->facts.critical_proven)
        assert_int_equal(common, longest_common(smallest));
    if (minimised->facts.critical > 0)
        assert_true(same_events(smallest, &minimised->passing) >= minimised->facts.critical - 1);
}

static void check_answer(const struct session *session, const struct bug *bug) {
    const struct minimised *minimised = &session->minimised;
    const struct trace_evidence *facts = &minimised->facts;
    assert_string_equal(session->difference, "");
    assert_true(minimised->has_smallest);
    assert_true(finding_signature(&minimised->finding) == bug->signature);
    assert_int_equal(facts->found_switches, bug->most);
    assert_int_equal(facts->switches, count_switches(&minimised->smallest));
    assert_true(facts->switches <= bug->most && facts->switches >= bug->fewest);
    if (facts->smallness == SMALLNESS_PROVEN)
        assert_int_equal(facts->switches, bug->fewest);
    if (minimised->has_passing)
        check_passing(minimised);
    else if (facts->critical_proven)
        assert_int_equal(passing.count, 0);
    assert_true(facts->turn <= minimised->smallest.event_count);
    assert_true(facts->turn == 0 || passing.count > 0);
    assert_int_equal(facts->tried, session_begun(&session->counters) - minimised->has_passing);
}

/* All were tried: none that is no larger otherwise has fewer steps. */
static void check_steps(const struct minimised *minimised, const struct bug *bug) {
    const struct listed *smallest = list_find(&bug->failing, &minimised->smallest);
    assert_non_null(smallest);
    const struct measure *least = &smallest->measure;
    for (size_t i = 0; i < bug->failing.count; i++) {
        const struct measure *other = &bug->failing.entries[i].measure;
        if (other->switches <= least->switches && other->preemptions <= least->preemptions &&
            other->tasks <= least->tasks)
            assert_true(other->steps >= least->steps);
    }
}

/* What comes of the other order of their accesses is not tried. */
static bool races_besides(const struct bug *bug) {
    for (uint32_t i = 0; i < bug_count; i++)
        if (&bugs[i] != bug && bugs[i].finding.kind == FINDING_RACE)
            return true;
    return false;
}

static void minimise(const struct script *script, const struct options *options,
                     const struct bug *bug, uint64_t budget) {
    struct options small = *options;
    struct lab lab;
    small.replay = &bug->found;
    small.max_executions = budget;
    lab_open(&lab, script, &small, &minimise_strategy);
    lab.session->minimised.target = bug->finding;
    while (explorer_execute(lab.explorer))
        ;
    check_answer(lab.session, bug);
    if (budget == 0) {
        check_steps(&lab.session->minimised, bug);
        assert_int_equal(lab.session->minimised.facts.smallness, SMALLNESS_PROVEN);
        assert_true(lab.session->minimised.facts.critical_proven || races_besides(bug));
        assert_true(lab.session->minimised.has_passing == (passing.count > 0));
    }
    lab_close(&lab);
}

/* --- random programs --- */

static uint32_t minimise_all(const struct script *script, const struct options *options) {
    struct lab lab;
    uint32_t checked = 0;
    if (list_all(&lab, script, options))
        for (; checked < bug_count; checked++) {
            minimise(script, options, &bugs[checked], 0);
            for (uint64_t budget = 1; budget <= 100; budget *= 3)
                minimise(script, options, &bugs[checked], budget);
        }
    lab_close(&lab);
    forget_all();
    return checked;
}

static void compare(enum script_flavour flavour, const struct options *options, uint32_t least) {
    struct random random;
    uint32_t checked = 0;
    for (uint32_t number = 0; number < PROGRAMS; number++) {
        static struct random_script program;
        random_seed_nth(&random, 7, number);
        random_script(&program, &random, flavour, TASKS, OPERATIONS);
        checked += minimise_all(&program.script, options);
    }
    print_message("%u bugs\n", checked);
    assert_true(checked >= least);
}

static void failures_and_deadlocks(void **state) {
    struct options options = search_options();
    (void)state;
    compare(FLAVOUR_SEARCH, &options, 300);
}

static void without_checkpoints(void **state) {
    struct options options = search_options();
    (void)state;
    options.checkpoints = CHECKPOINTS_OFF;
    compare(FLAVOUR_SEARCH, &options, 300);
}

static void data_races(void **state) {
    struct options options = search_options();
    (void)state;
    options.races = RACES_REPORT;
    options.keep_going = false;
    compare(FLAVOUR_RACES, &options, 300);
}

/* --- derived by hand --- */

/* Two tasks add to x by a load and a store; the second one asserts that it has not read what the first
 * one read. Loads L1, L2, stores S1, S2. The assertion fails if L2 comes before S1: at the earliest as
 * the first step of all, in a schedule without a switch. Nothing else is to be found. */
static void a_failure_without_switches(void **state) {
    static const struct script_instruction first[] = {{.code = OP_LOAD},
                                                      {.code = OP_STORE, .value = 1}};
    static const struct script_instruction second[] = {
        {.code = OP_LOAD}, {.code = SCRIPT_ASSERT_NOT, .value = 0}, {.code = OP_STORE, .value = 2}};
    struct script script = {.task_count = 2, .started = 3, .tasks = {{first, 2}, {second, 3}}};
    struct options options = search_options();
    (void)state;
    assert_int_equal(minimise_all(&script, &options), 1);
}

/* What does not fit is skipped, and counted; the rest is followed. */
static void follow_skips(void **state) {
    static const struct op op = {.kind = OP_LOAD};
    const struct pending pending[] = {{.task = 1, .op = &op}, {.task = 3, .op = &op}};
    const struct choice choice = {
        .tag = CHOICE_SCHEDULE, .count = 2, .task = 1, .live = 2, .pending = pending};
    const struct choice value = {.tag = CHOICE_VALUE, .count = 2, .task = 1};
    const struct decision wishes[] = {
        {.chosen = 2, .count = 3, .tag = CHOICE_SCHEDULE},
        {.chosen = 1, .count = 2, .tag = CHOICE_VALUE}, /* of task 2, which does not move */
        {.chosen = 3, .count = 2, .tag = CHOICE_SCHEDULE},
        {.chosen = 5, .count = 9, .tag = CHOICE_VALUE}, /* no such option any more */
        {.chosen = 3, .count = FOLLOW_ON, .tag = CHOICE_SCHEDULE}};
    struct follow follow;
    (void)state;
    follow_begin(&follow, wishes, 5);
    assert_int_equal(follow_pick(&follow, &choice), 1);
    assert_int_equal(follow.skipped, 2);
    assert_int_equal(follow_pick(&follow, &value), 1);
    assert_int_equal(follow.skipped, 3);
    assert_int_equal(follow_pick(&follow, &choice), 1);
    assert_int_equal(follow_pick(&follow, &choice), 1);
    assert_int_equal(follow_pick(&follow, &value), 0);
    assert_int_equal(follow.skipped, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_without_switches),
        cmocka_unit_test(follow_skips),
        cmocka_unit_test(failures_and_deadlocks),
        cmocka_unit_test(without_checkpoints),
        cmocka_unit_test(data_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
