/* test_minimise.c - the smallest schedule, the critical step and the nearest passing schedule. They
 * are compared with all executions of small random programs: `dfs` lists every execution, and the
 * test looks up which ones fail, how large they are, and which ones pass. */
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
#include "strategies/wrapper.h"
#include "unit/harness.h"
#include "unit/random_script.h"
#include "event/event.h"
#include "engine/tree.h"

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

/* One bug. Among all executions that show it, `fewest` is the smallest number of switches, and
 * `found` is the execution with the most switches. */
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
static bool
    preempts[DECISIONS_MAX]; /* for each decision of the current execution: it is a preemption */

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

/* True if another task moves although the task that moved last wants to go on. */
static bool is_preemption(const struct choice *choice, uint32_t option) {
    for (uint32_t i = 0; choice->tag == CHOICE_SCHEDULE && i < choice->count; i++) {
        enum op_kind kind = choice->pending[i].op->kind;
        if (choice->pending[i].task == choice->task)
            return i != option && kind != OP_YIELD && kind != OP_SLEEP && kind != OP_COND_SLEEP;
    }
    return false;
}

static uint32_t listing_pick(struct strategy *self, const struct choice *choice,
                             struct keep *keep) {
    uint32_t option = wrapper_pick(self, choice, keep);
    uint32_t at = self->inputs->execution->decision_count;
    assert_true(at < DECISIONS_MAX);
    preempts[at] = option < choice->count && is_preemption(choice, option);
    return option;
}

static void listing_end(struct strategy *self, enum outcome outcome, const struct choice *last,
                        struct report *report) {
    const struct strategy_inputs *inputs = self->inputs;
    for (uint32_t i = 0; i < inputs->finding_count; i++)
        list_bug(&inputs->findings[i], inputs->execution);
    if (inputs->finding_count == 0 && outcome == OUTCOME_ENDED)
        list_add(&passing, inputs->execution);
    wrapper_end(self, outcome, last, report);
}

static struct strategy *listing_create(const struct strategy_context *context) {
    struct wrapper *self = strategy_new(context, sizeof *self, &dfs_strategy, NULL);
    wrapper_put(self, dfs_strategy.create(context));
    self->ops.pick = listing_pick;
    self->ops.end = listing_end;
    return &self->base;
}

/* dfs, which also lists what it finds. */
static const struct strategy_info listing_strategy = {
    .name = "listing", .traits = EXHAUSTIVE | UNREDUCED, .create = listing_create};

/* --- a session of a script --- */

struct lab {
    struct session *session;
    struct scripted system;
    struct explorer *explorer;
};

static void lab_open(struct lab *lab, const struct script *script, const struct options *options,
                     const struct strategy_info *strategy) {
    static const struct analysis_ops *const list[] = {&race_analysis, &deadlock_analysis};
    lab->session = calloc(1, sizeof *lab->session);
    assert_non_null(lab->session);
    lab->session->pool = pool_open();
    lab->session->request.options = *options;
    lab->session->request.options.mode = MODE_MINIMISE;
    execution_init(&lab->session->result.minimised.smallest, lab->session->pool);
    execution_init(&lab->session->result.minimised.passing, lab->session->pool);
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

/* Returns false if there are too many executions to look at them all. The bugs live as long as the
 * lab. */
static bool list_all(struct lab *lab, const struct script *script, const struct options *options) {
    struct options all = *options;
    forget_all();
    all.max_executions = 0;
    lab_open(lab, script, &all, &listing_strategy);
    while (counters_begun(&lab->session->result.counters) < EXECUTIONS_MAX)
        if (!explorer_execute(lab->explorer))
            return lab->session->result.search.exhausted;
    return false;
}

/* --- what must hold --- */

/* The largest number of decisions that a passing execution shares with this one. */
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
    const struct minimised *minimised = &session->result.minimised;
    const struct evidence *facts = &minimised->facts;
    assert_string_equal(session->result.difference.text, "");
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
    assert_int_equal(facts->tried,
                     counters_begun(&session->result.counters) - minimised->has_passing);
}

/* Everything was tried, so no failing execution has fewer steps, unless it is larger in another
 * measure. */
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

/* True if other accesses race. The minimiser does not try the other order of such accesses, so it
 * may miss passing schedules. */
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
    lab.session->result.minimised.target = bug->finding;
    while (explorer_execute(lab.explorer))
        ;
    check_answer(lab.session, bug);
    if (budget == 0) {
        check_steps(&lab.session->result.minimised, bug);
        assert_int_equal(lab.session->result.minimised.facts.smallness, SMALLNESS_PROVEN);
        assert_true(lab.session->result.minimised.facts.critical_proven || races_besides(bug));
        assert_true(lab.session->result.minimised.has_passing == (passing.count > 0));
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

/* Two tasks add to x by a load and a store. The second task asserts that its load does not return
 * 0, the value before the first task's store. The loads are L1 and L2, the stores S1 and S2. The
 * assertion fails if L2 comes before S1. The smallest such schedule has L2 as its first step and no
 * switch. There is no other bug. */
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

/* Decisions that do not fit are skipped and counted. The others are followed. */
static void follow_skips(void **state) {
    static const struct op op = {.kind = OP_LOAD};
    const struct pending pending[] = {{.task = 1, .op = &op}, {.task = 3, .op = &op}};
    const struct choice choice = {
        .tag = CHOICE_SCHEDULE, .count = 2, .task = 1, .live = 2, .pending = pending};
    const struct choice value = {.tag = CHOICE_VALUE, .count = 2, .task = 1};
    const struct decision wishes[] = {
        {.chosen = 2, .count = 3, .tag = CHOICE_SCHEDULE},
        {.chosen = 1,
         .count = 2,
         .tag = CHOICE_VALUE}, /* a choice of task 2, which does not move */
        {.chosen = 3, .count = 2, .tag = CHOICE_SCHEDULE},
        {.chosen = 5, .count = 9, .tag = CHOICE_VALUE}, /* an option that no longer exists */
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
