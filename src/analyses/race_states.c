/* race_states.c - data races that a state shows: two tasks stand before accesses to the same bytes,
 * at least one of the accesses writes, and at least one is not atomic.
 *
 * This analysis serves searches that remember states. There, plain accesses are operations. The way
 * to a state does not matter here, so no clocks are needed (race.c needs them).
 *
 * The promise. Assume that a task learns about other tasks only through operations that order it
 * after them. Then a program has a data race by happens-before if and only if some execution has
 * two conflicting accesses side by side. Proof: take the first race of an execution, and leave out
 * all that does not happen before one of its two accesses. The rest is an execution that ends with
 * both accesses pending. So `unordered` is set where a task learns something without being ordered:
 * by an atomic access without acquire or release; by a lock, semaphore or mailbox that was not
 * available; by a futex; by pthread_kill; by being cancelled; by a signal of a condition variable
 * that does not come with its mutex (on the way by which the state was met first). Then there may
 * be a race that no state shows, and the verdict says so.
 *
 * No task stands before an access inside an atomic section, and a compare-exchange may fail. Both
 * are compared when they happen, with the operations before which other tasks stand at that
 * moment. */
#include "analyses/analyses.h"

#include "analyses/text.h"
#include "base/image.h"
#include "engine/options.h"
#include "event/event.h"
#include "execution/finding.h"

enum { PAIRS_MAX = 32, STACK_MAX = 64 };

struct pair {
    uint64_t pcs[2];
};

struct race_states {
    struct analysis base;
    const struct analysis_context *context; /* borrowed */
    const struct choice *choice;            /* the last state */
    uint64_t *released; /* by task: the mutex that its last operation released, or 0 */
    uint32_t released_count, released_capacity;
    uint32_t signaller;           /* the task whose signal was in the last step, or NO_TASK */
    uint64_t signalled;           /* the condition variable of that signal */
    struct pair pairs[PAIRS_MAX]; /* reported in this execution */
    uint32_t pair_count;
    struct finding finding; /* room for the one being made */
};

static struct analysis *race_states_create(const struct analysis_context *context) {
    if (!context->options->races_by_states)
        return NULL;
    struct race_states *self = pool_alloc(context->pool, sizeof *self);
    self->base.ops = &race_states_analysis;
    self->context = context;
    self->signaller = NO_TASK;
    return &self->base;
}

static void race_states_begin(struct analysis *base) {
    struct race_states *self = (struct race_states *)base;
    self->released_count = 0;
    self->signaller = NO_TASK;
    self->pair_count = 0;
}

static void race_states_save(struct analysis *base, struct image *image) {
    const struct race_states *self = (const struct race_states *)base;
    image_write_number(image, self->released_count);
    for (uint32_t i = 0; i < self->released_count; i++)
        image_write_number(image, self->released[i]);
}

static uint64_t *released_by(struct race_states *self, uint32_t task) {
    self->released = pool_grow(self->context->pool, self->released, &self->released_capacity,
                               (size_t)task + 1, sizeof *self->released);
    while (self->released_count <= task)
        self->released[self->released_count++] = 0;
    return &self->released[task];
}

static void race_states_load(struct analysis *base, struct image *image) {
    struct race_states *self = (struct race_states *)base;
    race_states_begin(base);
    uint64_t count = image_read_number(image);
    for (uint32_t i = 0; i < count; i++)
        *released_by(self, i) = image_read_number(image);
}

/* --- accesses ------------------------------------------------------------------------------- */

static bool is_volatile(const struct op *op) {
    return op_info(op->kind)->about == ABOUT_VOLATILE;
}

/* A volatile access counts as plain or as relaxed atomic, by --volatile. */
static bool is_plain(const struct race_states *self, const struct op *op) {
    return op_info(op->kind)->about == ABOUT_PLAIN ||
           (is_volatile(op) && self->context->options->volatiles == VOLATILE_PLAIN);
}

static bool is_atomic(const struct race_states *self, const struct op *op) {
    return op_info(op->kind)->about == ABOUT_ATOMIC ||
           (is_volatile(op) && self->context->options->volatiles == VOLATILE_ATOMIC);
}

/* The program has annotated this access: its races are ignored. */
static bool is_annotated(const struct race_states *self, const struct op *op) {
    return op->annotated && is_plain(self, op);
}

/* A compare-exchange may fail and write nothing. Whether it writes is known only when it
 * happens. */
static bool writes(const struct op *op) {
    enum op_act act = op_info(op->kind)->act;
    return act == ACT_WRITE || act == ACT_MODIFY;
}

static bool overlap(const struct op *a, const struct op *b) {
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool conflict(const struct race_states *self, const struct op *a, const struct op *b) {
    return (is_plain(self, a) || is_plain(self, b)) && (writes(a) || writes(b)) && overlap(a, b);
}

/* --- reporting ------------------------------------------------------------------------------ */

static bool new_pair(struct race_states *self, uint64_t a, uint64_t b) {
    for (uint32_t i = 0; i < self->pair_count; i++) {
        const uint64_t *pcs = self->pairs[i].pcs;
        if ((pcs[0] == a && pcs[1] == b) || (pcs[1] == a && pcs[0] == b))
            return false;
    }
    if (self->pair_count == PAIRS_MAX)
        return false;
    self->pairs[self->pair_count++] = (struct pair){{a, b}};
    return true;
}

static void name_access(struct text *text, const struct op *op, bool within) {
    if (is_volatile(op))
        text_add(text, "volatile ");
    else if (op_info(op->kind)->about == ABOUT_ATOMIC)
        text_add(text, "atomic ");
    text_add(text, writes(op) ? "write of " : "read of ");
    text_add_number(text, op->size);
    text_add(text, op->size == 1 ? " byte" : " bytes");
    if (within)
        text_add(text, " in an atomic section");
}

/* An access before which a task stands, or one that has just happened inside an atomic section. */
struct place {
    uint32_t task;
    const struct op *op;
    bool within;
};

static void add_place(struct race_states *self, const struct place *access) {
    const struct analysis_context *context = self->context;
    struct finding_stack *place = &self->finding.stacks[self->finding.stack_count++];
    struct text title = {place->title, sizeof place->title, 0};
    uint64_t pcs[STACK_MAX];
    name_access(&title, access->op, access->within);
    place->task = access->task;
    place->pc = access->op->pc;
    place->stack = 0;
    if (!context->host->evidence)
        return;
    uint32_t count =
        context->system->ops->stack(context->system, access->task, place->pc, pcs, STACK_MAX);
    place->stack = execution_add_stack(context->execution, pcs, count);
}

static void report(struct race_states *self, const struct place *one, const struct place *other) {
    struct finding *finding = &self->finding;
    struct host *host = self->context->host;
    if (is_annotated(self, one->op) || is_annotated(self, other->op)) {
        *self->context->annotated = true;
        return;
    }
    if (!new_pair(self, one->op->pc, other->op->pc))
        return;
    *finding = (struct finding){.kind = FINDING_RACE, .task = one->task, .object = one->op->object};
    struct text text = {finding->text, sizeof finding->text, 0};
    name_access(&text, one->op, one->within);
    text_add(&text, " races with a ");
    name_access(&text, other->op, other->within);
    text_add(&text, ": nothing orders them");
    add_place(self, one);
    add_place(self, other);
    host->ops->found(host, finding);
}

/* --- what is learned without an order ------------------------------------------------------- */

static bool is_weak(const struct event *event) {
    bool failed = event->flags & EVENT_FAILED;
    uint32_t order = failed ? event->op.failure_order : event->op.order;
    bool acquires = order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
    bool releases = order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
    bool reads = event->op.kind != OP_STORE;
    bool stores = event->op.kind != OP_LOAD && !failed;
    return (reads && !acquires) || (stores && !releases);
}

/* A task that finds a lock taken, or a semaphore or mailbox empty, has learned something about
 * other tasks. */
static bool shows_others(const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    bool failed = event->flags & (EVENT_FAILED | EVENT_TIMED_OUT);
    if (info->about == ABOUT_ATOMIC)
        return is_weak(event);
    return (info->facts & SHOWS) || (failed && (info->facts & SHOWS_FAILURE));
}

static void note_signal(struct race_states *self, const struct event *event) {
    uint64_t *released = released_by(self, event->task);
    if (op_signals(event->op.kind)) {
        self->signaller = event->task;
        self->signalled = event->op.object;
    } else {
        *released = event->op.kind == OP_UNLOCK ? event->op.object : 0;
    }
}

/* The woken tasks take their mutex next. They are ordered after the signal if the signalling task
 * holds that mutex, or has just released it. */
static void judge_signal(struct race_states *self, const struct choice *choice) {
    struct system *system = self->context->system;
    uint32_t signaller = self->signaller;
    if (signaller == NO_TASK)
        return;
    self->signaller = NO_TASK;
    for (uint32_t i = 0; i < choice->live; i++) {
        const struct pending *pending = &choice->pending[i];
        if (pending->op->kind != OP_COND_WAKE || pending->op->object != self->signalled)
            continue;
        bool held =
            i >= choice->count && system->ops->holder(system, pending->task, 0) == signaller;
        bool asleep =
            i >= choice->count && system->ops->holder(system, pending->task, 0) == NO_TASK;
        if (!held && !asleep && *released_by(self, signaller) != pending->op->mutex)
            *self->context->unordered = true;
    }
}

/* --- accesses that happen ------------------------------------------------------------------- */

/* Compares an access that could not be compared before it happened: one inside an atomic section,
 * before which no task stands, or a compare-exchange, which was not known to write. */
static bool is_new_access(const struct race_states *self, const struct event *event) {
    bool nested = event->flags & EVENT_NESTED;
    bool exchanged = event->op.kind == OP_CAS && !(event->flags & EVENT_FAILED);
    return exchanged || (nested && (is_plain(self, &event->op) || is_atomic(self, &event->op)));
}

static void compare_happened(struct race_states *self, const struct event *event) {
    const struct choice *choice = self->choice;
    const struct place now = {event->task, &event->op, event->flags & EVENT_NESTED};
    bool exchanged = event->op.kind == OP_CAS && !(event->flags & EVENT_FAILED);
    for (uint32_t i = 0; i < choice->live; i++) {
        const struct place other = {choice->pending[i].task, choice->pending[i].op, false};
        bool write = exchanged || writes(now.op) || writes(other.op);
        if (other.task != now.task && is_plain(self, other.op) && write &&
            overlap(now.op, other.op))
            report(self, &now, &other);
    }
}

/* --- the analysis --------------------------------------------------------------------------- */

static void race_states_event(struct analysis *base, const struct event *event) {
    struct race_states *self = (struct race_states *)base;
    const struct choice *choice = self->choice;
    if (event->flags & EVENT_NOTE)
        return;
    bool weak = is_volatile(&event->op) && is_atomic(self, &event->op);
    if (choice != NULL && choice->live > 1 && (weak || shows_others(event)))
        *self->context->unordered = true;
    note_signal(self, event);
    if (choice != NULL && is_new_access(self, event))
        compare_happened(self, event);
}

static void race_states_state(struct analysis *base, const struct choice *choice,
                              uint32_t blocked) {
    struct race_states *self = (struct race_states *)base;
    (void)blocked;
    self->choice = choice;
    judge_signal(self, choice);
    for (uint32_t i = 0; i < choice->live; i++) {
        const struct place one = {choice->pending[i].task, choice->pending[i].op, false};
        if (!is_plain(self, one.op))
            continue;
        for (uint32_t j = 0; j < choice->live; j++) {
            const struct place other = {choice->pending[j].task, choice->pending[j].op, false};
            bool first =
                j > i || !is_plain(self, other.op); /* two plain accesses form one pair, not two */
            if (j != i && first && (is_plain(self, other.op) || is_atomic(self, other.op)) &&
                conflict(self, one.op, other.op))
                report(self, &one, &other);
        }
    }
}

static void race_states_end(struct analysis *base, enum outcome outcome,
                            const struct choice *last) {
    (void)outcome, (void)last;
    ((struct race_states *)base)->choice = NULL;
}

const struct analysis_ops race_states_analysis = {
    .name = "race-states",
    .of_shared_memory = true,
    .create = race_states_create,
    .begin = race_states_begin,
    .save = race_states_save,
    .load = race_states_load,
    .event = race_states_event,
    .state = race_states_state,
    .end = race_states_end,
};
