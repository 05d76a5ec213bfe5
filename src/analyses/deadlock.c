/* deadlock.c - tasks that can never move again.
 *
 * During an execution: tasks that wait for each other in a cycle are a deadlock, because no other
 * task can help them. A task waits for all of the tasks that its system calls its holders. So one
 * holder in the cycle is enough. A wait counts only if no other task can end it. A wait with a time
 * limit does not count (its task is enabled), and neither does a wait that can be cancelled. A
 * cycle closes when a task moves and is blocked before its next operation: either this wait is new,
 * or the task holds something new that others wait for. A task can also make others wait for each
 * other: by a send that fills the queue of its receiver, or by a signal, because the sleeper then
 * needs its mutex.
 *
 * At the end of an execution that is stuck with live tasks: the finding is a deadlock if some of
 * them wait for each other in a cycle, or if the first task is among them (then the program cannot
 * end). Without a cycle, the finding is a livelock if a task was parked while it was spinning; such
 * a task stands at an operation that never blocks. Otherwise the tasks are blocked for ever. If the
 * process ended while tasks were still live, only a cycle counts, because all other tasks might
 * have gone on; the tasks of the cycle are reported as blocked for ever.
 *
 * Left out: other tasks that are blocked at the end of an execution in which a cycle was already
 * found. */
#include "analyses/analyses.h"

#include "analyses/text.h"
#include "base/image.h"
#include "event/event.h"
#include "execution/finding.h"

enum { STACK_MAX = 64 };

/* Facts about a task in the present state. They are valid if the stamp is that of this state. */
struct mark {
    uint64_t blocked;   /* the stamp of the state in which the task was seen blocked */
    uint32_t index;     /* in choice->pending */
    uint32_t from;      /* the previous task of the walk, or NO_TASK */
    uint32_t next;      /* number of holders that the walk has asked for */
    uint32_t holder;    /* the holder to which the walk went on */
    bool walked, under; /* walked: the walk came here; under: the walk has not gone back yet */
    bool listed;        /* the finding names this task */
};

struct deadlock {
    struct analysis base;
    const struct analysis_context *context; /* borrowed */
    struct mark *marks;                     /* by task */
    uint32_t mark_capacity;
    uint64_t stamp;
    bool found;             /* this execution has shown a cycle */
    struct finding finding; /* the finding that is being built */
};

static struct analysis *deadlock_create(const struct analysis_context *context) {
    struct deadlock *self = pool_alloc(context->pool, sizeof *self);
    self->base.ops = &deadlock_analysis;
    self->context = context;
    return &self->base;
}

static void deadlock_begin(struct analysis *base) {
    ((struct deadlock *)base)->found = false;
}

static void deadlock_save(struct analysis *base, struct image *image) {
    image_write_number(image, ((const struct deadlock *)base)->found);
}

static void deadlock_load(struct analysis *base, struct image *image) {
    ((struct deadlock *)base)->found = image_read_number(image);
}

/* --- the wait-for graph --------------------------------------------------------------------- */

static void mark_blocked(struct deadlock *self, const struct choice *last) {
    self->stamp++;
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

static uint32_t holder_of(const struct deadlock *self, uint32_t task, uint32_t nth) {
    struct system *system = self->context->system;
    return system->ops->holder(system, task, nth);
}

/* Whether other tasks than its holders can end the wait of a blocked task. */
static bool may_be_cancelled(const struct deadlock *self, uint32_t task) {
    struct system *system = self->context->system;
    return system->ops->cancellable != NULL && system->ops->cancellable(system, task);
}

static struct mark *enter(struct deadlock *self, uint32_t task, uint32_t from) {
    struct mark *mark = &self->marks[task];
    mark->from = from;
    mark->walked = mark->under = true;
    return mark;
}

/* Walks depth first from a blocked task to its holders, to their holders, and so on. Returns the
 * first task that the walk meets again, or NO_TASK. With `firm`, the walk uses only waits that
 * cannot be cancelled, and only a cycle through the first task counts. */
static uint32_t walk(struct deadlock *self, uint32_t start, bool firm) {
    struct mark *at = enter(self, start, NO_TASK);
    for (uint32_t task = start; task != NO_TASK;) {
        uint32_t holder = holder_of(self, task, at->next++);
        if (holder == NO_TASK) {
            at->under = false;
            task = at->from;
            at = task != NO_TASK ? &self->marks[task] : NULL;
            continue;
        }
        at->holder = holder;
        if (!is_blocked(self, holder) || (firm && may_be_cancelled(self, holder)))
            continue;
        if (self->marks[holder].under && (!firm || holder == start))
            return holder;
        if (self->marks[holder].walked)
            continue;
        at = enter(self, holder, task);
        task = holder;
    }
    return NO_TASK;
}

/* Returns a task of the first cycle, by task number, or NO_TASK. */
static uint32_t find_cycle(struct deadlock *self, const struct choice *last) {
    for (uint32_t i = last->count; i < last->live; i++) {
        uint32_t task = last->pending[i].task;
        uint32_t met = self->marks[task].walked ? NO_TASK : walk(self, task, false);
        if (met != NO_TASK)
            return met;
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

static void add_wait(struct deadlock *self, const struct choice *last, uint32_t task,
                     uint32_t holder) {
    struct finding *finding = &self->finding;
    if (self->marks[task].listed || finding->wait_count == FINDING_WAITS)
        return;
    self->marks[task].listed = true;
    const struct op *op = last->pending[self->marks[task].index].op;
    finding->waits[finding->wait_count++] = (struct finding_wait){
        .task = task,
        .holder = holder,
        .op = *op,
        .stack = record_stack(self, task, op->pc),
    };
}

/* Lists the tasks of the cycle first, in the order of the cycle. Returns their number. */
static uint32_t add_cycle(struct deadlock *self, const struct choice *last, uint32_t start) {
    uint32_t task = start, count = 0;
    if (start == NO_TASK)
        return 0;
    do {
        add_wait(self, last, task, self->marks[task].holder);
        task = self->marks[task].holder;
        count++;
    } while (task != start);
    return count;
}

static void add_rest(struct deadlock *self, const struct choice *last) {
    for (uint32_t i = last->count; i < last->live; i++)
        add_wait(self, last, last->pending[i].task, holder_of(self, last->pending[i].task, 0));
}

/* A task that stands blocked before an operation that never blocks was parked there, because it
 * spins. */
static uint32_t count_spinning(const struct choice *last) {
    uint32_t count = 0;
    for (uint32_t i = last->count; i < last->live; i++)
        count += !op_blocks(last->pending[i].op->kind);
    return count;
}

static void add_count(struct text *text, uint32_t count, const char *one, const char *many) {
    text_add_number(text, count);
    text_add(text, count == 1 ? one : many);
}

static void say_cycle(struct text *text, uint32_t cycle) {
    if (cycle == 1)
        text_add(text, "a task waits for itself");
    else
        add_count(text, cycle, "", " tasks wait for each other in a cycle");
}

/* The kind of the finding, and a sentence for it. */
static enum finding_kind judge(const struct deadlock *self, const struct choice *last,
                               uint32_t cycle, struct text *text) {
    uint32_t blocked = last->live - last->count, spinning = count_spinning(last);
    if (cycle > 0) {
        say_cycle(text, cycle);
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

static void begin_finding(struct deadlock *self) {
    self->finding = (struct finding){0};
}

static void report(struct deadlock *self) {
    self->finding.task = self->finding.waits[0].task;
    self->context->host->ops->found(self->context->host, &self->finding);
}

/* Reports the cycle that a wait of this task closes. */
static bool find_closed(struct deadlock *self, const struct choice *choice, uint32_t task) {
    if (holder_of(self, task, 0) == NO_TASK || may_be_cancelled(self, task))
        return false;
    mark_blocked(self, choice);
    if (!is_blocked(self, task) || walk(self, task, true) != task)
        return false;
    self->found = true;
    begin_finding(self);
    uint32_t cycle = add_cycle(self, choice, task);
    struct text text = {self->finding.text, sizeof self->finding.text, 0};
    say_cycle(&text, cycle);
    text_add(&text, ", whatever the others do");
    self->finding.kind = FINDING_DEADLOCK;
    report(self);
    return true;
}

/* Returns the operation of the last step, or NULL. */
static const struct op *last_op(const struct execution *execution) {
    for (uint32_t at = execution->event_count; at > 0; at--)
        if (!(execution->events[at - 1].flags & EVENT_NOTE))
            return &execution->events[at - 1].op;
    return NULL;
}

/* Called if the task that moved is in no cycle: reports a cycle of other tasks that its step has
 * closed. */
static void find_closed_by(struct deadlock *self, const struct choice *choice,
                           const struct op *op) {
    if (op->kind == OP_SEND && op->receiver != NO_TASK)
        find_closed(self, choice, op->receiver);
    if (!op_signals(op->kind))
        return;
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (find_closed(self, choice, choice->pending[i].task))
            return;
}

/* Called in each state in which some task can move. */
static void deadlock_state(struct analysis *base, const struct choice *choice, uint32_t blocked) {
    struct deadlock *self = (struct deadlock *)base;
    if (blocked < choice->live && find_closed(self, choice, choice->task))
        return;
    if (choice->live - choice->count < 2 || self->found)
        return;
    const struct op *op = last_op(self->context->execution);
    if (op != NULL)
        find_closed_by(self, choice, op);
}

static void deadlock_end(struct analysis *base, enum outcome outcome, const struct choice *last) {
    struct deadlock *self = (struct deadlock *)base;
    struct finding *finding = &self->finding;
    bool stuck = outcome == OUTCOME_STUCK;
    if ((!stuck && outcome != OUTCOME_ENDED) || last->live == last->count || self->found)
        return;
    mark_blocked(self, last);
    uint32_t start = find_cycle(self, last);
    if (!stuck && start == NO_TASK)
        return;
    begin_finding(self);
    uint32_t cycle = add_cycle(self, last, start);
    if (stuck)
        add_rest(self, last);
    struct text text = {finding->text, sizeof finding->text, 0};
    finding->kind = judge(self, last, cycle, &text);
    if (!stuck) /* the process has ended without these tasks */
        finding->kind = FINDING_BLOCKED;
    report(self);
}

const struct analysis_ops deadlock_analysis = {
    .name = "deadlock",
    .create = deadlock_create,
    .begin = deadlock_begin,
    .save = deadlock_save,
    .load = deadlock_load,
    .state = deadlock_state,
    .end = deadlock_end,
};
