/* deadlock.c - tasks that can never move again, judged when an execution is over.
 *
 * Stuck, with live tasks: a deadlock if some of them wait for each other in a cycle, or if the first
 * task is among them (then the program cannot end); a livelock if, without a cycle, a task was parked
 * while it was spinning, that is, it stands at an operation that never blocks by itself; otherwise
 * tasks are blocked for ever. When the process ended while tasks were still there, only a cycle
 * counts, since the others might have gone on; and its tasks are blocked for ever, no more.
 *
 * Left out: a cycle is followed through one holder a task, so of a lock held by several readers only
 * one of them is seen. */
#include "analyses/analyses.h"

#include "analyses/text.h"

enum { STACK_MAX = 64 };

/* What is known of a task in the state at hand; the stamp says if it is of this state. */
struct mark {
    uint64_t blocked; /* stamp */
    uint64_t walked;  /* stamp + number of the walk that came through */
    uint32_t index;   /* in choice->pending */
    bool listed;      /* in the finding */
};

struct deadlock {
    struct analysis base;
    const struct analysis_context *context; /* borrowed */
    struct mark *marks;                     /* by task */
    uint32_t mark_capacity;
    uint64_t stamp;
    struct finding finding; /* room for the one being made */
};

static struct analysis *deadlock_create(const struct analysis_context *context) {
    struct deadlock *self = pool_alloc(context->pool, sizeof *self);
    self->base.ops = &deadlock_analysis;
    self->context = context;
    return &self->base;
}

static void deadlock_begin(struct analysis *base) {
    (void)base;
}

static void deadlock_save(struct analysis *base, struct image *image) {
    (void)base, (void)image;
}

/* --- the wait-for graph --------------------------------------------------------------------- */

static void mark_blocked(struct deadlock *self, const struct choice *last) {
    self->stamp += last->live + 1; /* room for the numbers of the walks */
    for (uint32_t i = last->count; i < last->live; i++) {
        uint32_t task = last->pending[i].task;
        self->marks = pool_grow(self->context->pool, self->marks, &self->mark_capacity,
                                (size_t)task + 1, sizeof *self->marks);
        self->marks[task] = (struct mark){.blocked = self->stamp, .index = i};
    }
}

static bool is_blocked(const struct deadlock *self, uint32_t task) {
    return task < self->mark_capacity && self->marks[task].blocked == self->stamp;
}

static uint32_t holder_of(const struct deadlock *self, uint32_t task) {
    struct system *system = self->context->system;
    return system->ops->holder(system, task);
}

/* Each walk leaves its number; one that meets its own number has closed a cycle. */
static uint32_t walk(struct deadlock *self, uint32_t task, uint64_t number) {
    while (is_blocked(self, task) && self->marks[task].walked < self->stamp) {
        self->marks[task].walked = self->stamp + number;
        task = holder_of(self, task);
    }
    return is_blocked(self, task) && self->marks[task].walked == self->stamp + number ? task
                                                                                      : NO_TASK;
}

/* A task of the first cycle, in the order of task numbers, or NO_TASK. */
static uint32_t find_cycle(struct deadlock *self, const struct choice *last) {
    for (uint32_t i = last->count; i < last->live; i++) {
        uint32_t task = walk(self, last->pending[i].task, i - last->count);
        if (task != NO_TASK)
            return task;
    }
    return NO_TASK;
}

/* --- the finding ---------------------------------------------------------------------------- */

static uint32_t record_stack(struct deadlock *self, uint32_t task, uint64_t pc) {
    const struct analysis_context *context = self->context;
    uint64_t pcs[STACK_MAX];
    if (!context->host->evidence)
        return 0;
    uint32_t count = context->system->ops->stack(context->system, task, pc, pcs, STACK_MAX);
    return execution_add_stack(context->execution, pcs, count);
}

static void add_wait(struct deadlock *self, const struct choice *last, uint32_t task) {
    struct finding *finding = &self->finding;
    if (self->marks[task].listed || finding->wait_count == FINDING_WAITS)
        return;
    self->marks[task].listed = true;
    const struct op *op = last->pending[self->marks[task].index].op;
    finding->waits[finding->wait_count++] = (struct finding_wait){
        .task = task,
        .holder = holder_of(self, task),
        .op = *op,
        .stack = record_stack(self, task, op->pc),
    };
}

/* Those of the cycle first, one after the other; how many they are. */
static uint32_t add_cycle(struct deadlock *self, const struct choice *last, uint32_t start) {
    uint32_t task = start, count = 0;
    if (start == NO_TASK)
        return 0;
    do {
        add_wait(self, last, task);
        task = holder_of(self, task);
        count++;
    } while (task != start);
    return count;
}

static void add_rest(struct deadlock *self, const struct choice *last) {
    for (uint32_t i = last->count; i < last->live; i++)
        add_wait(self, last, last->pending[i].task);
}

/* Kinds of operations before which a task can be blocked by what they wait for. One that is blocked
 * before another kind was parked: it spins. */
static bool waits_by_itself(enum op_kind kind) {
    static const uint8_t kinds[] = {
        OP_LOCK,      OP_COND_SLEEP,    OP_COND_WAKE,   OP_READ_LOCK,  OP_WRITE_LOCK,
        OP_SPIN_LOCK, OP_BARRIER_LEAVE, OP_SEM_WAIT,    OP_ONCE_ENTER, OP_JOIN,
        OP_SEND,      OP_RECEIVE,       OP_FUTEX_SLEEP, OP_ASSUME,
    };
    for (uint32_t i = 0; i < sizeof kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static uint32_t count_spinning(const struct choice *last) {
    uint32_t count = 0;
    for (uint32_t i = last->count; i < last->live; i++)
        count += !waits_by_itself(last->pending[i].op->kind);
    return count;
}

static void add_count(struct text *text, uint32_t count, const char *one, const char *many) {
    text_add_number(text, count);
    text_add(text, count == 1 ? one : many);
}

/* The kind, and the same in words. */
static enum finding_kind judge(const struct deadlock *self, const struct choice *last,
                               uint32_t cycle, struct text *text) {
    uint32_t blocked = last->live - last->count, spinning = count_spinning(last);
    if (cycle > 0) {
        if (cycle == 1)
            text_add(text, "a task waits for itself");
        else
            add_count(text, cycle, "", " tasks wait for each other in a cycle");
        if (blocked > cycle) {
            text_add(text, "; ");
            add_count(text, blocked - cycle, " more is blocked", " more are blocked");
        }
        return FINDING_DEADLOCK;
    }
    if (spinning > 0) {
        add_count(text, spinning, " task spins", " tasks spin");
        text_add(text, " on what nobody can change any more");
        return FINDING_LIVELOCK;
    }
    add_count(text, blocked, " task is", " tasks are");
    text_add(text, " blocked, and no other task is left that could go on");
    return is_blocked(self, 0) ? FINDING_DEADLOCK : FINDING_BLOCKED;
}

static void deadlock_end(struct analysis *base, enum outcome outcome, const struct choice *last) {
    struct deadlock *self = (struct deadlock *)base;
    struct finding *finding = &self->finding;
    bool stuck = outcome == OUTCOME_STUCK;
    if ((!stuck && outcome != OUTCOME_ENDED) || last->live == last->count)
        return;
    mark_blocked(self, last);
    uint32_t start = find_cycle(self, last);
    if (!stuck && start == NO_TASK)
        return;
    *finding = (struct finding){.event = self->context->execution->event_count};
    uint32_t cycle = add_cycle(self, last, start);
    if (stuck)
        add_rest(self, last);
    struct text text = {finding->text, sizeof finding->text, 0};
    finding->kind = judge(self, last, cycle, &text);
    if (!stuck) /* the process could end without them */
        finding->kind = FINDING_BLOCKED;
    finding->task = finding->waits[0].task;
    self->context->host->ops->found(self->context->host, finding);
}

const struct analysis_ops deadlock_analysis = {
    .name = "deadlock",
    .create = deadlock_create,
    .begin = deadlock_begin,
    .save = deadlock_save,
    .load = deadlock_save,
    .end = deadlock_end,
};
