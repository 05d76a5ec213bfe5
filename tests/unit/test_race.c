/* test_race.c - the race analysis is compared with happens-before, computed from its definition on
 * random executions of random programs: a list of all events and accesses, all synchronises-with
 * edges between pairs of them, and their transitive closure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyses/analyses.h"
#include "unit/happens_before.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 20000, RANGE_RUNS = 5000, PAIRS_MAX = 32 };

/* --- a host that feeds the analysis and records everything ---------------------------------- */

struct recorder {
    struct host base;
    struct random random;
    struct analysis *analysis;
    struct event event;
    struct history history;
    struct finding last;
    uint32_t found;
};

static struct recorder *recorder_of(struct host *base) {
    return (struct recorder *)base;
}

static uint32_t choose(struct host *base, enum choice_tag tag, uint32_t task, uint32_t count) {
    (void)tag, (void)task;
    return random_below(&recorder_of(base)->random, count);
}

static struct event *event(struct host *base, uint32_t task, const struct op *op) {
    struct recorder *self = recorder_of(base);
    self->event = (struct event){.op = *op, .task = task};
    return &self->event;
}

static void happened(struct host *base, struct event *event) {
    struct recorder *self = recorder_of(base);
    history_event(&self->history, event);
    self->analysis->ops->event(self->analysis, event);
}

static void accessed(struct host *base, uint32_t task, uint64_t address, uint32_t size,
                     enum plain_access what, uint64_t pc) {
    struct recorder *self = recorder_of(base);
    history_access(&self->history, task, address, size, what != PLAIN_READ, pc);
    self->analysis->ops->access(self->analysis, task, address, size, what, pc);
}

/* An access within an atomic section is judged at the end of the section, any other at once. */
static void found(struct host *base, const struct finding *finding) {
    struct recorder *self = recorder_of(base);
    const struct finding_stack *place = &finding->stacks[0];
    struct item *last = &self->history.items[self->history.count - 1], *item = last;
    while (item->task != place->task || item->pc != place->pc || item->size == 0)
        item--;
    assert_int_equal(finding->kind, FINDING_RACE);
    assert_int_equal(finding->stack_count, 2);
    assert_true(item == last || item->in_section);
    item->reported = history_find(&self->history, finding->stacks[1].task, finding->stacks[1].pc);
    assert_true(item->reported >= 0);
    self->last = *finding;
    self->found++;
}

static const struct host_ops recorder_ops = {
    .choose = choose, .event = event, .happened = happened, .access = accessed, .found = found};

static void run(struct recorder *self, struct scripted *system) {
    struct choice choice;
    self->history.count = 0;
    self->analysis->ops->begin(self->analysis);
    system->base.ops->start(&system->base, &self->base);
    while (system->base.ops->outcome(&system->base) == OUTCOME_RUNNING) {
        system->base.ops->pending(&system->base, &choice);
        if (choice.count == 0)
            break;
        uint32_t option = random_below(&self->random, choice.count);
        scripted_step(system, choice.pending[option].task);
    }
}

/* --- comparison with the definition --------------------------------------------------------- */

static void print_history(const struct history *history) {
    for (uint32_t i = 0; i < history->count; i++) {
        const struct item *item = &history->items[i];
        uint32_t kind = item->event.op.kind;
        print_error("%3u task %u %s %llx/%llx+%u order %u/%u flags %u result %llu%s reported %d\n",
                    i, item->task,
                    kind < OP_KINDS ? op_info(kind)->name
                    : item->write   ? "WRITE"
                                    : "READ",
                    (unsigned long long)(item->size ? item->address : item->event.op.object),
                    (unsigned long long)item->event.op.object2, item->size, item->event.op.order,
                    item->event.op.target, item->event.flags,
                    (unsigned long long)item->event.result, item->atomic ? " atomic" : "",
                    item->reported);
    }
}

/* Up to this access, did a report on these bytes name one of the two tasks? */
static bool reported_before(const struct history *history, uint32_t earlier, uint32_t later) {
    const struct item *a = &history->items[earlier], *b = &history->items[later];
    for (uint32_t k = 0; k <= later; k++) {
        const struct item *item = &history->items[k];
        if (item->reported >= 0 && (item->task == a->task || item->task == b->task) &&
            items_overlap(item, b))
            return true;
    }
    return false;
}

static void disagree(const struct history *history, const char *what, uint32_t a, uint32_t b) {
    print_history(history);
    fail_msg("items %u and %u: %s", a, b, what);
}

/* Every report must be a race. The first access that races must be reported. Every other racing
 * access must be reported too, unless its tasks had a race on these bytes before: then the analysis
 * does not compare all accesses again. */
static uint32_t compare(const struct history *history) {
    uint32_t races = 0, reports = 0;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct item *item = &history->items[i];
        if (item->reported >= 0) {
            if (!history_race(history, (uint32_t)item->reported, i))
                disagree(history, "reported, but no race", (uint32_t)item->reported, i);
            reports++;
        }
        for (uint32_t k = 0; k < i && reports < PAIRS_MAX; k++)
            if (history_race(history, k, i)) {
                if (races++ == 0 && item->reported < 0)
                    disagree(history, "the first race is not reported", k, i);
                if (!reported_before(history, k, i))
                    disagree(history, "not reported", k, i);
                break;
            }
    }
    return races;
}

static void agree(enum sequences_mode sequences, uint32_t programs, uint64_t seed) {
    struct recorder recorder = {.base.ops = &recorder_ops,
                                .history.stores_end = sequences == SEQUENCES_CXX20};
    struct options options = search_options();
    struct pool *pool = pool_open();
    struct execution execution;
    struct scripted system;
    uint32_t racy = 0, clean = 0;
    bool continued = false;
    options.races = RACES_REPORT;
    options.sequences = sequences;
    execution_init(&execution, pool);
    struct analysis_context context = {.pool = pool,
                                       .options = &options,
                                       .system = &system.base,
                                       .host = &recorder.base,
                                       .execution = &execution,
                                       .continued = &continued};
    random_seed(&recorder.random, seed);
    recorder.analysis = race_analysis.create(&context);
    for (uint32_t i = 0; i < programs; i++) {
        struct random_script program;
        uint32_t tasks = 2 + random_below(&recorder.random, 4);
        random_script(&program, &recorder.random, FLAVOUR_RACES, tasks, 5);
        scripted_init(&system, &program.script);
        run(&recorder, &system);
        history_close(&recorder.history);
        if (compare(&recorder.history))
            racy++;
        else
            clean++;
    }
    print_message("%u executions with races, %u without\n", racy, clean);
    assert_true(racy > programs / 5 && clean > programs / 20);
    assert_int_equal(continued, sequences == SEQUENCES_C11);
    pool_close(pool);
}

static void agrees_with_the_definition(void **state) {
    (void)state;
    agree(SEQUENCES_C11, PROGRAMS, 4);
    agree(SEQUENCES_CXX20, PROGRAMS, 4);
}

/* Accesses of all sizes across granules and pages, with one lock. Only the byte ranges are under
 * test. */
static void ranges_agree_with_the_definition(void **state) {
    struct recorder recorder = {.base.ops = &recorder_ops};
    struct options options = search_options();
    struct pool *pool = pool_open();
    struct execution execution;
    struct script nothing = {.task_count = 1};
    struct scripted system;
    uint32_t racy = 0;
    (void)state;
    scripted_init(&system, &nothing);
    options.races = RACES_REPORT;
    execution_init(&execution, pool);
    struct analysis_context context = {.pool = pool,
                                       .options = &options,
                                       .system = &system.base,
                                       .host = &recorder.base,
                                       .execution = &execution,
                                       .continued = &(bool){false}};
    random_seed(&recorder.random, 6);
    recorder.analysis = race_analysis.create(&context);
    for (uint32_t i = 0; i < RANGE_RUNS; i++) {
        recorder.history.count = 0;
        recorder.analysis->ops->begin(recorder.analysis);
        for (uint32_t task = 1; task < 3; task++) {
            struct op create = {.kind = OP_CREATE, .target = task};
            event(&recorder.base, 0, &create)->result = task;
            happened(&recorder.base, &recorder.event);
        }
        for (uint32_t k = 0; k < 16; k++) {
            uint32_t task = random_below(&recorder.random, 3);
            struct op lock = {.kind = OP_LOCK, .object = 8},
                      unlock = {.kind = OP_UNLOCK, .object = 8};
            bool locked = random_below(&recorder.random, 3) > 0;
            uint64_t address = 0x20000 - 32 + random_below(&recorder.random, 64);
            if (locked)
                happened(&recorder.base, event(&recorder.base, task, &lock));
            accessed(&recorder.base, task, address, 1 + random_below(&recorder.random, 24),
                     random_below(&recorder.random, 2), 0x500000 + k);
            if (locked)
                happened(&recorder.base, event(&recorder.base, task, &unlock));
        }
        history_close(&recorder.history);
        racy += compare(&recorder.history) > 0;
    }
    assert_in_range(racy, RANGE_RUNS / 10, RANGE_RUNS - 1);
    pool_close(pool);
}

/* A report has its text and both places. In the repetition (`evidence`) it has both stacks too. */
static void reports_both_places(void **state) {
    static const struct script_instruction a[] = {{.code = OP_YIELD},
                                                  {.code = SCRIPT_WRITE, .size = 4}};
    static const struct script_instruction b[] = {{.code = OP_YIELD},
                                                  {.code = SCRIPT_READ, .size = 1, .offset = 1}};
    struct script script = {.tasks = {{a, 2}, {b, 2}}, .task_count = 2, .started = 3};
    struct recorder recorder = {.base.ops = &recorder_ops};
    struct options options = search_options();
    struct pool *pool = pool_open();
    struct execution execution;
    struct scripted system;
    (void)state;
    options.races = RACES_REPORT;
    execution_init(&execution, pool);
    struct analysis_context context = {.pool = pool,
                                       .options = &options,
                                       .system = &system.base,
                                       .host = &recorder.base,
                                       .execution = &execution,
                                       .continued = &(bool){false}};
    recorder.analysis = race_analysis.create(&context);
    recorder.base.evidence = true;
    scripted_init(&system, &script);
    recorder.analysis->ops->begin(recorder.analysis);
    system.base.ops->start(&system.base, &recorder.base);
    scripted_step(&system, 0);
    scripted_step(&system, 1);
    assert_int_equal(recorder.found, 1);
    const struct finding *finding = &recorder.last;
    assert_string_equal(finding->text, "read of 1 byte races with an earlier write of 4 bytes");
    assert_string_equal(finding->stacks[0].title, "read of 1 byte");
    assert_string_equal(finding->stacks[1].title, "write of 4 bytes");
    assert_int_equal(finding->object, 0x10001);
    assert_int_equal(finding->stacks[0].task, 1);
    assert_int_equal(finding->stacks[1].task, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t *frames = execution.frames + finding->stacks[i].stack;
        assert_true(finding->stacks[i].stack > 0);
        assert_int_equal(frames[0], 2); /* the script's stacks are two deep */
        assert_int_equal(frames[1], finding->stacks[i].pc);
        assert_int_equal(frames[2], 0x400000 + finding->stacks[i].task);
    }
    pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_both_places),
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(ranges_agree_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
