/* harness.c - see harness.h. */
#define _GNU_SOURCE
#include "unit/harness.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/analyses.h"
#include "base/image.h"
#include "base/check.h"
#include "strategies/strategies.h"
#include "unit/canonical.h"

enum { POOL_SIZE = 1 << 30 };

/* --- sets ----------------------------------------------------------------------------------- */

void set_add(struct set *set, uint64_t item) {
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 64;
        set->items = realloc(set->items, set->capacity * sizeof *set->items);
        CHECK(set->items != NULL);
    }
    set->items[set->count++] = item;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void set_close(struct set *set) {
    size_t kept = 0;
    if (set->count == 0)
        return;
    qsort(set->items, set->count, sizeof *set->items, compare);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->items[kept - 1] != set->items[i])
            set->items[kept++] = set->items[i];
    set->count = kept;
}

bool set_equal(const struct set *a, const struct set *b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

void set_free(struct set *set) {
    free(set->items);
    *set = (struct set){0};
}

/* --- a collector, dressed as an analysis ---------------------------------------------------- */

static struct search *collecting;
static struct analysis_context collector_context;
static struct canonical canonical;

/* A plain access within an atomic section. */
struct access {
    uint64_t address;
    uint32_t size, events; /* number of events before it */
    bool write;
};

enum { ACCESSES_MAX = 256 };

static struct {
    struct access list[ACCESSES_MAX];
    uint32_t count;
    bool within;
} accesses;

static struct analysis collector;

static struct analysis *collector_create(const struct analysis_context *context) {
    collector_context = *context;
    return &collector;
}

static void collector_begin(struct analysis *self) {
    (void)self;
    accesses.count = 0;
    accesses.within = false;
}

static void collector_event(struct analysis *self, const struct event *event) {
    (void)self;
    if (event->op.kind == OP_ATOMIC)
        accesses.within = !event->op.section_ends;
}

static void collector_access(struct analysis *self, uint32_t task, uint64_t address, uint32_t size,
                             enum plain_access what, uint64_t pc) {
    (void)self, (void)task, (void)pc;
    if (!accesses.within)
        return;
    CHECK(accesses.count < ACCESSES_MAX);
    accesses.list[accesses.count++] = (struct access){
        address, size, collector_context.execution->event_count, what == PLAIN_WRITE};
}

static void collector_save(struct analysis *self, struct image *image) {
    (void)self;
    image_write_number(image, accesses.count);
    image_write(image, accesses.list, accesses.count * sizeof *accesses.list);
}

static void collector_load(struct analysis *self, struct image *image) {
    collector_begin(self);
    accesses.count = (uint32_t)image_read_number(image);
    image_read(image, accesses.list, accesses.count * sizeof *accesses.list);
}

static void gather_trace(const struct execution *execution) {
    uint32_t at = 0;
    canonical_begin(&canonical);
    for (uint32_t i = 0; i < execution->event_count; i++) {
        canonical_add(&canonical, &execution->events[i]);
        for (; at < accesses.count && accesses.list[at].events == i + 1; at++)
            canonical_access(&canonical, accesses.list[at].address, accesses.list[at].size,
                             accesses.list[at].write);
    }
}

static bool is_stuck(enum outcome outcome) {
    return outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
}

/* A fingerprint of all that the tasks have seen. It leaves out the memory and the messages that no
 * task took. */
static uint64_t what_was_seen(const struct scripted *system, enum outcome outcome) {
    struct scripted seen = *system;
    memset(seen.state.memory, 0, sizeof seen.state.memory);
    for (uint32_t i = 0; i < SCRIPT_OBJECTS; i++) {
        struct script_mailbox *box = &seen.state.mailboxes[i];
        *box = (struct script_mailbox){.count = box->count, .sent = box->sent};
    }
    return scripted_fingerprint(&seen) * 2 + is_stuck(outcome);
}

static void collect_trace(enum outcome outcome) {
    bool fatal = outcome == OUTCOME_FAILED || outcome == OUTCOME_DROPPED;
    set_add(&collecting->traces, canonical_form(&canonical, fatal));
    set_add(&collecting->observed, canonical_observed(&canonical, fatal));
}

static void collector_end(struct analysis *self, enum outcome outcome, const struct choice *last) {
    const struct scripted *system = (const struct scripted *)collector_context.system;
    (void)self, (void)last;
    if (collector_context.host->evidence || outcome == OUTCOME_SEEN)
        return;
    gather_trace(collector_context.execution);
    if (outcome != OUTCOME_BLOCKED && outcome != OUTCOME_IDLE && outcome != OUTCOME_DEEP &&
        outcome != OUTCOME_CUT)
        collect_trace(outcome);
    if (outcome == OUTCOME_ENDED || is_stuck(outcome))
        set_add(&collecting->seen, what_was_seen(system, outcome));
    if (outcome == OUTCOME_ENDED)
        set_add(&collecting->finals, scripted_fingerprint(system));
    if (is_stuck(outcome))
        set_add(&collecting->stuck, scripted_fingerprint(system));
    if (outcome == OUTCOME_FAILED && system->failure)
        set_add(&collecting->failures, system->failure);
}

static const struct analysis_ops collector_ops = {
    .name = "collector",
    .create = collector_create,
    .begin = collector_begin,
    .save = collector_save,
    .load = collector_load,
    .event = collector_event,
    .access = collector_access,
    .end = collector_end,
};
static struct analysis collector = {&collector_ops};

/* --- searching ------------------------------------------------------------------------------ */

struct pool *pool_open(void) {
    return pool_map(POOL_SIZE);
}

void pool_close(struct pool *pool) {
    pool_unmap(pool);
}

struct options search_options(void) {
    return (struct options){.races = RACES_IGNORE,
                            .max_steps = DEFAULT_MAX_STEPS,
                            .preemptions = -1,
                            .delays = -1,
                            .divergences = -1,
                            .pct_steps = DEFAULT_PCT_STEPS,
                            .pct_depth = DEFAULT_PCT_DEPTH,
                            .keep_going = true};
}

static void summarise(const struct session *session, struct search *search) {
    for (const struct session_finding *at = session->result.found.first; at != NULL; at = at->next)
        search->findings[at->finding.kind]++;
    search->counters = session->result.counters;
    search->sampling = session->result.reached.sampling;
    search->strata = session->result.reached.strata;
    search->exhausted = session->result.search.exhausted;
    search->bound_cut = session->result.search.bound_cut;
    search->diverged = session->result.difference.text[0] != '\0';
    search->pool_used = session->pool->used;
    set_close(&search->finals);
    set_close(&search->stuck);
    set_close(&search->failures);
    set_close(&search->traces);
    set_close(&search->observed);
    set_close(&search->seen);
}

/* The search has turned out to need the option `cycles`, and its result is of no use. Searches once
 * more with the option, as the supervisor does (cli/supervise/again.h). */
static void search_again(const struct script *script, const char *strategy,
                         const struct options *options, struct search *search) {
    struct options with_cycles = *options;
    with_cycles.cycles = true;
    search_free(search);
    search_script(script, strategy, &with_cycles, search);
}

void search_script(const struct script *script, const char *strategy, const struct options *options,
                   struct search *search) {
    const struct analysis_ops *list[ANALYSES + 1];
    struct session *session = calloc(1, sizeof *session);
    struct scripted system;
    CHECK(session != NULL);
    memset(search, 0, sizeof *search);
    collecting = search;
    session->pool = pool_open();
    session->request.options = *options;
    memcpy(list, analyses, sizeof analyses);
    list[ANALYSES] = &collector_ops;
    scripted_init(&system, script);
    struct explorer *explorer = explorer_open(session, &system.base, strategy_named(strategy),
                                              &replay_strategy, list, ANALYSES + 1);
    while (explorer_execute(explorer))
        ;
    summarise(session, search);
    bool again = session->result.search.lacks == LACKS_CYCLES;
    pool_close(session->pool);
    free(session);
    if (again)
        search_again(script, strategy, options, search);
}

void search_free(struct search *search) {
    set_free(&search->finals);
    set_free(&search->stuck);
    set_free(&search->failures);
    set_free(&search->traces);
    set_free(&search->observed);
    set_free(&search->seen);
}
