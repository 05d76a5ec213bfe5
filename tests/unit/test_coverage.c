/* test_coverage.c - pairs of operations that ran in both orders. The analysis is compared with its
 * definition on every execution of small random programs, and the reductions are compared with the
 * unreduced search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/analyses.h"
#include "base/check.h"
#include "engine/coverage.h"
#include "event/dependence.h"
#include "strategies/strategies.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 400, EXECUTIONS_MAX = 3000, EVENTS_MAX = 200, PAIRS_MAX = 4096 };

/* --- the definition, on one execution -------------------------------------------------------- */

struct naive {
    const struct event *events[EVENTS_MAX];
    uint32_t steps[EVENTS_MAX];          /* for each event, the first event of its step */
    bool before[EVENTS_MAX][EVENTS_MAX]; /* before[i][j]: step i happens before step j */
    uint32_t count;
};

static uint32_t last_step(const struct naive *naive, uint32_t task, uint32_t before) {
    for (uint32_t i = before; i-- > 0;)
        if (naive->events[i]->task == task)
            return naive->steps[i];
    return UINT32_MAX;
}

/* The last step before event `before` that created the task. */
static uint32_t birth(const struct naive *naive, uint32_t task, uint32_t before) {
    for (uint32_t i = before; i-- > 0;)
        if (naive->events[i]->op.kind == OP_CREATE && naive->events[i]->op.target == task &&
            naive->events[i]->task != task && !(naive->events[i]->flags & EVENT_FAILED))
            return naive->steps[i];
    return UINT32_MAX;
}

/* The step before this event that brought its task to where it is: the task's own last step, or its
 * creation. */
static uint32_t step_before(const struct naive *naive, uint32_t event) {
    uint32_t first = naive->steps[event], task = naive->events[event]->task;
    uint32_t last = last_step(naive, task, first);
    return last != UINT32_MAX ? last : birth(naive, task, first);
}

static void add_edge(struct naive *naive, uint32_t from, uint32_t to) {
    if (from == UINT32_MAX || from == to)
        return;
    naive->before[from][to] = true;
    for (uint32_t i = 0; i < from; i++)
        naive->before[i][to] |= naive->before[i][from];
}

static void order_event(struct naive *naive, uint32_t at) {
    const struct event *event = naive->events[at];
    add_edge(naive, step_before(naive, at), naive->steps[at]);
    for (uint32_t i = 0; i < at; i++)
        if (naive->events[i]->task != event->task && dependent_events(naive->events[i], event))
            add_edge(naive, naive->steps[i], naive->steps[at]);
    bool joins = (event->op.kind == OP_JOIN || event->op.kind == OP_TRYJOIN) &&
                 !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT));
    if (joins) {
        uint32_t last = last_step(naive, event->op.target, at);
        add_edge(naive, last != UINT32_MAX ? last : birth(naive, event->op.target, at),
                 naive->steps[at]);
    }
}

static void naive_read(struct naive *naive, const struct execution *execution) {
    memset(naive, 0, sizeof *naive);
    for (uint32_t i = 0; i < execution->event_count; i++) {
        const struct event *event = &execution->events[i];
        if (event->flags & (EVENT_NOTE | EVENT_IDLE))
            continue;
        uint32_t at = naive->count++;
        CHECK(at < EVENTS_MAX);
        naive->events[at] = event;
        naive->steps[at] = event->flags & EVENT_NESTED ? last_step(naive, event->task, at) : at;
        order_event(naive, at);
    }
}

static bool about_one_thing(const struct op *a, const struct op *b) {
    enum op_class class = op_info(a->kind)->class;
    bool objects = a->object == b->object || (a->object2 && a->object2 == b->object) ||
                   (b->object2 && b->object2 == a->object) ||
                   (a->object2 && a->object2 == b->object2);
    bool bytes = a->object < b->object + b->size && b->object < a->object + a->size;
    return class == op_info(b->kind)->class &&
           ((class == CLASS_OBJECT && objects) || (class == CLASS_MEMORY && bytes));
}

/* --- sets of pairs -------------------------------------------------------------------------- */

/* What is compared of each pair: the orders that were seen, and whether the pair was open. */
struct pairs {
    struct coverage_row rows[PAIRS_MAX];
    uint32_t count;
};

static int compare(const void *a, const void *b) {
    const struct coverage_row *x = a, *y = b;
    int places = memcmp(x->places, y->places, sizeof x->places);
    return places ? places : memcmp(x->kinds, y->kinds, sizeof x->kinds);
}

static void pairs_close(struct pairs *pairs) {
    qsort(pairs->rows, pairs->count, sizeof *pairs->rows, compare);
}

static bool pairs_equal(const struct pairs *a, const struct pairs *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (compare(&a->rows[i], &b->rows[i]) != 0 || a->rows[i].open != b->rows[i].open ||
            !a->rows[i].orders[0] != !b->rows[i].orders[0] ||
            !a->rows[i].orders[1] != !b->rows[i].orders[1])
            return false;
    return true;
}

static void pairs_add(struct pairs *pairs, const struct event *a, const struct event *b,
                      bool open) {
    bool straight = a->op.pc != b->op.pc       ? a->op.pc < b->op.pc
                    : a->op.kind != b->op.kind ? a->op.kind < b->op.kind
                                               : a->task < b->task;
    const struct event *low = straight ? a : b, *high = straight ? b : a;
    struct coverage_row key = {.places = {low->op.pc, high->op.pc},
                               .kinds = {low->op.kind, high->op.kind}};
    uint32_t at = 0;
    while (at < pairs->count && compare(&pairs->rows[at], &key) != 0)
        at++;
    CHECK(at < PAIRS_MAX);
    if (at == pairs->count)
        pairs->rows[pairs->count++] = key;
    pairs->rows[at].orders[straight ? 0 : 1]++;
    pairs->rows[at].open |= open;
}

static void add_naive(struct pairs *pairs, const struct execution *execution) {
    static struct naive naive;
    naive_read(&naive, execution);
    for (uint32_t j = 0; j < naive.count; j++)
        for (uint32_t i = 0; i < j; i++) {
            const struct event *a = naive.events[i], *b = naive.events[j];
            if (a->task == b->task || !about_one_thing(&a->op, &b->op) ||
                !dependent(&a->op, &b->op))
                continue;
            uint32_t known = step_before(&naive, j), step = naive.steps[i];
            bool open = known == UINT32_MAX || !(step == known || naive.before[step][known]);
            pairs_add(pairs, a, b, open && dependent_events(a, b));
            if (!naive.before[step][naive.steps[j]])
                pairs_add(pairs, b, a, false);
        }
}

/* --- searches ------------------------------------------------------------------------------- */

/* Searches the script. Returns false if there were too many executions. `naive` may be NULL. */
static bool search(const struct script *script, const char *strategy, struct pairs *found,
                   struct pairs *naive) {
    const struct analysis_ops *list[] = {&coverage_analysis};
    struct session *session = calloc(1, sizeof *session);
    struct scripted system;
    CHECK(session != NULL);
    session->pool = pool_open();
    session->request.options = search_options();
    /* `persistent` begins more executions than it needs until it knows the tasks */
    session->request.options.max_executions = naive != NULL ? EXECUTIONS_MAX : 2 * EXECUTIONS_MAX;
    session->request.options.coverage = true;
    scripted_init(&system, script);
    struct explorer *explorer =
        explorer_open(session, &system.base, strategy_named(strategy), &replay_strategy, list, 1);
    bool more = true;
    while (more) {
        enum session_phase phase = session->live.phase;
        uint64_t begun = counters_begun(&session->result.counters);
        more = explorer_execute(explorer);
        if (naive != NULL && phase != PHASE_CONFIRMING &&
            counters_begun(&session->result.counters) > begun)
            add_naive(naive, session->live.current);
    }
    found->count = 0;
    for (uint32_t i = 0; i < session->result.records.coverage->row_count; i++)
        found->rows[found->count++] = session->result.records.coverage->rows[i];
    pairs_close(found);
    if (naive != NULL)
        pairs_close(naive);
    assert_int_equal(session->result.records.coverage->executions,
                     counters_begun(&session->result.counters));
    bool whole = session->result.search.exhausted;
    pool_close(session->pool);
    free(session);
    return whole;
}

static void print_pairs(const char *title, const struct pairs *pairs) {
    fprintf(stderr, "%s:\n", title);
    for (uint32_t i = 0; i < pairs->count; i++)
        fprintf(
            stderr, "  %llx %s - %llx %s: %llu %llu%s\n",
            (unsigned long long)pairs->rows[i].places[0], op_info(pairs->rows[i].kinds[0])->name,
            (unsigned long long)pairs->rows[i].places[1], op_info(pairs->rows[i].kinds[1])->name,
            (unsigned long long)pairs->rows[i].orders[0],
            (unsigned long long)pairs->rows[i].orders[1], pairs->rows[i].open ? " open" : "");
}

static void must_agree(const struct script *script, const char *name, const struct pairs *a,
                       const struct pairs *b) {
    if (pairs_equal(a, b))
        return;
    print_script(script);
    print_pairs("all", a);
    print_pairs(name, b);
    fail();
}

static void the_definition_and_the_reductions(void **state) {
    static const char *const reductions[] = {"optimal", "source", "classic", "persistent"};
    static struct pairs all, naive, reduced;
    struct random random;
    uint32_t compared = 0;
    (void)state;
    random_seed(&random, 11);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        struct random_script program;
        random_script(&program, &random, FLAVOUR_SEARCH, 2 + i % 2, 3);
        naive.count = 0;
        bool whole = search(&program.script, "dfs", &all, &naive);
        must_agree(&program.script, "by definition", &all, &naive);
        for (uint32_t j = 0; whole && j < 4; j++, compared++) {
            assert_true(search(&program.script, reductions[j], &reduced, NULL));
            must_agree(&program.script, reductions[j], &all, &reduced);
        }
    }
    assert_true(compared > PROGRAMS); /* most programs are small enough */
}

/* --- by hand -------------------------------------------------------------------------------- */

static const struct coverage_row *row_of(const struct pairs *pairs, enum op_kind a,
                                         enum op_kind b) {
    for (uint32_t i = 0; i < pairs->count; i++)
        if ((pairs->rows[i].kinds[0] == a && pairs->rows[i].kinds[1] == b) ||
            (pairs->rows[i].kinds[0] == b && pairs->rows[i].kinds[1] == a))
            return &pairs->rows[i];
    return NULL;
}

/* A task that waits for a semaphore of value 0 always comes after the post. A store and a load come
 * in both orders. */
static void pairs_that_are_open(void **state) {
    static const struct script_instruction poster[] = {{.code = OP_STORE, .value = 1},
                                                       {.code = OP_SEM_POST}};
    static const struct script_instruction waiter[] = {{.code = OP_SEM_WAIT}, {.code = OP_LOAD}};
    static const struct script_instruction reader[] = {{.code = OP_LOAD}};
    const struct script script = {
        .tasks = {{poster, 2}, {waiter, 2}, {reader, 1}}, .task_count = 3, .started = 7};
    static struct pairs pairs;
    (void)state;
    assert_true(search(&script, "optimal", &pairs, NULL));
    assert_int_equal(pairs.count, 3);
    const struct coverage_row *semaphore = row_of(&pairs, OP_SEM_POST, OP_SEM_WAIT);
    assert_true(semaphore->open);
    assert_true((semaphore->orders[0] == 0) != (semaphore->orders[1] == 0));
    uint32_t open = 0, both = 0;
    for (uint32_t i = 0; i < 3; i++) {
        open += pairs.rows[i].open;
        both += pairs.rows[i].orders[0] > 0 && pairs.rows[i].orders[1] > 0;
    }
    /* The waiter's load comes after the wait, which comes after the store. So this pair is not
     * open. */
    assert_int_equal(open, 2);
    assert_int_equal(both, 1);
}

static void the_table_is_bounded(void **state) {
    struct pool *pool = pool_open();
    struct coverage *coverage = coverage_create(pool);
    struct event a = {.op = {.kind = OP_STORE, .pc = 1}, .task = 1};
    struct event b = {.op = {.kind = OP_LOAD}, .task = 2};
    (void)state;
    for (uint32_t i = 0; i < COVERAGE_ROWS_MAX + 10; i++) {
        b.op.pc = 2 + i;
        coverage_add(coverage, &a, &b, 64, i % 2 == 0);
    }
    assert_int_equal(coverage->row_count, COVERAGE_ROWS_MAX);
    assert_int_equal(coverage->unlisted, 10);
    b.op.pc = 2;
    coverage_add(coverage, &b, &a, 64, false);
    assert_int_equal(coverage->unlisted, 10);
    pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_definition_and_the_reductions),
        cmocka_unit_test(pairs_that_are_open),
        cmocka_unit_test(the_table_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
