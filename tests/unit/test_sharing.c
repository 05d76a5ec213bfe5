/* test_sharing.c - several workers share one search: together they make exactly the executions that
 * one worker makes, each of them once. And a strategy can have a finding of its own.
 *
 * The workers are explorers with sessions of their own. They take turns; now and then one of them
 * gives a part of its search to a new one. What they did is compared with the undivided search: the
 * set of the executions, each by its decisions, the merged counters, and the findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "strategies/strategies.h"
#include "strategies/wrapper.h"
#include "unit/random_script.h"
#include "unit/walk.h"

enum { WORKERS_MAX = 24, EXECUTIONS_MAX = 4000, PROGRAMS = 150 };

/* What a search did. */
struct did {
    struct set executions; /* fingerprints of their decisions */
    uint64_t count;        /* of executions, before duplicates are dropped */
    struct result *result;
};

static uint64_t decisions_of(const struct session *session) {
    const struct execution *execution = session->live.current;
    struct fingerprint print = {{0, 0}};
    for (uint32_t i = 0; i < execution->decision_count; i++) {
        fingerprint_add_number(&print, execution->decisions[i].tag);
        fingerprint_add_number(&print, execution->decisions[i].chosen);
    }
    return print.word[0] ^ print.word[1];
}

/* Runs what is due. Returns false if the worker is done. */
static bool work_on(struct walk *walk, struct did *did) {
    uint64_t before = walk_begun(walk);
    bool more = explorer_execute(walk->explorer);
    if (walk_begun(walk) > before) {
        set_add(&did->executions, decisions_of(walk->session));
        did->count++;
    }
    return more;
}

static void search_alone(const struct script *script, const struct options *options,
                         struct walk *walk, struct did *did) {
    walk_open(walk, script, "dfs", options);
    while (work_on(walk, did))
        ;
    did->result = &walk->session->result;
    set_close(&did->executions);
}

/* A new worker gets a part of the search of this one, if there is a part to spare. */
static bool share(struct walk *from, struct walk *to, const struct script *script,
                  const struct options *options) {
    struct work work = {0};
    if (from->session->live.phase != PHASE_BETWEEN ||
        !explorer_split(from->explorer, &work, from->session->pool))
        return false;
    walk_open(to, script, "dfs", options);
    explorer_adopt(to->explorer, &work);
    return true;
}

static uint32_t search_together(const struct script *script, const struct options *options,
                                struct random *random, struct walk *walks, struct did *did) {
    uint32_t count = 1, busy = 1;
    bool done[WORKERS_MAX] = {0};
    walk_open(&walks[0], script, "dfs", options);
    while (busy > 0) {
        uint32_t now = random_below(random, count);
        if (done[now])
            continue;
        done[now] = !work_on(&walks[now], did);
        busy -= done[now];
        bool gives = !done[now] && count < WORKERS_MAX && random_below(random, 4) == 0;
        if (gives && share(&walks[now], &walks[count], script, options)) {
            count++;
            busy++;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        walks[i].session->result.search.begun = true;
    for (uint32_t i = 1; i < count; i++)
        assert_true(result_merge(&walks[0].session->result, &walks[i].session->result,
                                 walks[0].session->pool));
    did->result = &walks[0].session->result;
    set_close(&did->executions);
    return count;
}

static void list_findings(const struct result *result, struct set *signatures) {
    for (const struct session_finding *at = result->found.first; at != NULL; at = at->next)
        set_add(signatures, finding_signature(&at->finding));
    set_close(signatures);
}

static void compare(const struct did *alone, const struct did *together) {
    const struct counters *a = &alone->result->counters, *b = &together->result->counters;
    struct set found = {0}, found_together = {0};
    assert_true(set_equal(&alone->executions, &together->executions));
    assert_int_equal(together->count, together->executions.count);
    assert_int_equal(alone->count, together->count);
    assert_int_equal(a->executions, b->executions);
    assert_int_equal(a->transitions, b->transitions);
    assert_int_equal(a->depth_max, b->depth_max);
    assert_int_equal(alone->result->search.bound_cut, together->result->search.bound_cut);
    assert_true(alone->result->search.exhausted && together->result->search.exhausted);
    list_findings(alone->result, &found);
    list_findings(together->result, &found_together);
    assert_true(set_equal(&found, &found_together));
    set_free(&found);
    set_free(&found_together);
}

/* Every third program has a bound on preemptions, so that the strategy that shares is wrapped. */
static uint32_t compare_program(uint32_t seed) {
    static struct walk walks[WORKERS_MAX];
    struct options options = search_options();
    struct random_script program;
    struct random random;
    struct did alone = {0}, together = {0};
    struct walk walk;
    uint32_t workers = 0;
    random_seed(&random, seed);
    random_script(&program, &random, FLAVOUR_SEARCH, 3, 4);
    options.max_executions = EXECUTIONS_MAX;
    options.max_steps = 100;
    if (seed % 3 == 0)
        options.preemptions = 2;
    search_alone(&program.script, &options, &walk, &alone);
    if (alone.result->search.exhausted) {
        options.max_executions = 0;
        workers = search_together(&program.script, &options, &random, walks, &together);
        compare(&alone, &together);
    }
    for (uint32_t i = 0; i < workers; i++)
        walk_close(&walks[i]);
    walk_close(&walk);
    set_free(&alone.executions);
    set_free(&together.executions);
    return workers;
}

static void each_execution_belongs_to_one_worker(void **state) {
    uint32_t compared = 0, shared = 0;
    (void)state;
    for (uint32_t seed = 0; seed < PROGRAMS; seed++) {
        uint32_t workers = compare_program(seed);
        compared += workers > 0;
        shared += workers > 2;
    }
    assert_true(compared > PROGRAMS / 2 && shared > PROGRAMS / 4);
}

/* --- a finding of the strategy's own
 * ------------------------------------------------------------ */

enum { SUSPECT = 3 };

static struct finding own;

/* dfs, which objects to its third execution. */
static void objecting_end(struct strategy *self, enum outcome outcome, const struct choice *last,
                          struct report *report) {
    static uint32_t ended;
    wrapper_end(self, outcome, last, report);
    if (++ended == SUSPECT)
        report->finding = &own;
}

static struct strategy *objecting_create(const struct strategy_context *context) {
    struct wrapper *self = strategy_new(context, sizeof *self, &dfs_strategy, NULL);
    wrapper_put(self, dfs_strategy.create(context));
    self->ops.end = objecting_end;
    return &self->base;
}

static void a_strategy_has_a_finding(void **state) {
    static const struct strategy_info objecting = {
        .name = "objecting", .traits = EXHAUSTIVE, .create = objecting_create};
    /* two tasks of two steps: 6 orders */
    static const struct script_instruction twice[] = {{.code = OP_LOAD}, {.code = OP_LOAD}};
    (void)state;
    struct options options = search_options();
    struct script script = {.tasks = {{twice, 2}, {twice, 2}}, .task_count = 2, .started = 3};
    struct session *session = calloc(1, sizeof *session);
    struct scripted system;
    assert_non_null(session);
    own = (struct finding){.kind = FINDING_LIVELOCK, .task = NO_TASK};
    session->pool = pool_open();
    session->request.options = options;
    scripted_init(&system, &script);
    struct explorer *explorer =
        explorer_open(session, &system.base, &objecting, &replay_strategy, NULL, 0);
    while (explorer_execute(explorer))
        ;
    const struct session_finding *found = session->result.found.first;
    assert_true(session->result.search.exhausted);
    assert_int_equal(session->result.counters.executions, 6);
    assert_int_equal(session->result.found.count, 1);
    assert_int_equal(found->finding.kind, FINDING_LIVELOCK);
    assert_int_equal(found->at_execution, SUSPECT);
    assert_int_equal(found->execution.event_count, 5); /* four loads, and the exit of the process */
    pool_close(session->pool);
    free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_execution_belongs_to_one_worker),
        cmocka_unit_test(a_strategy_has_a_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
