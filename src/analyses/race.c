/* race.c - data races by the happens-before relation of C11.
 *
 * Two accesses to the same byte by different tasks race if at least one of them writes, at least
 * one is not atomic, and neither happens before the other. race_order.c computes the happens-before
 * relation, race_shadow.c keeps the accesses. A volatile access counts as plain, as in the
 * standard, or as a relaxed atomic access (--volatile=atomic). Accesses inside an atomic section
 * count as atomic, and are judged at its end (race_section.h).
 *
 * The program can annotate accesses whose races are to be ignored. Such an access is recorded like
 * any other. A race with it is no finding, but the verdict mentions it, because the orders of such
 * accesses were not explored.
 *
 * Before the first create event there is one task, and its accesses happen before all others. So
 * they are not recorded. For this reason a system must report each task by a create event, also the
 * tasks that exist from the start.
 *
 * In the repetition that collects evidence, the stack of each access is kept with its record. So
 * the report has the stack of the earlier access as well.
 *
 * With --races=explore, plain accesses are operations of their own, and nothing is reported here.
 * With --races=ignore, nothing is reported either. In both cases this analysis is not created. The
 * same pair of places is reported once in an execution. */
#include "analyses/analyses.h"

#include "analyses/race_atomics.h"
#include "analyses/race_section.h"
#include "analyses/race_shadow.h"
#include "analyses/race_stacks.h"
#include "analyses/text.h"
#include "base/narrow.h"
#include "execution/finding.h"

enum { PAIRS_MAX = 32, STACK_MAX = 64 };

struct pair {
    uint64_t pcs[2];
};

struct race {
    struct analysis base;
    const struct analysis_context *context; /* borrowed */
    struct order order;
    struct shadow shadow;
    struct race_stacks stacks;
    struct order_undo
        undo; /* undoes the last event, if that was an access that may have ordered something */
    /* undoes the look of a round that is left out; valid between its begin and its end */
    struct order_undo round;
    struct race_section section;
    const struct put_off *judged; /* at the end of a section: what is judged now; else NULL */
    uint32_t widest;              /* size of the largest atomic so far */
    /* this execution has had a second task; earlier accesses happen before all others */
    bool concurrent;
    struct pair pairs[PAIRS_MAX]; /* reported in this execution */
    uint32_t pair_count;
    struct finding finding; /* room for the one being made */
};

static struct analysis *race_create(const struct analysis_context *context) {
    if (context->options->races != RACES_REPORT)
        return NULL;
    struct race *self = pool_alloc(context->pool, sizeof *self);
    self->base.ops = &race_analysis;
    self->context = context;
    order_init(&self->order, context->pool, context->options->sequences, context->continued);
    shadow_init(&self->shadow, context->pool);
    race_stacks_init(&self->stacks, context->pool);
    race_section_init(&self->section, context->pool);
    return &self->base;
}

static void race_begin(struct analysis *base) {
    struct race *self = (struct race *)base;
    order_begin(&self->order);
    shadow_begin(&self->shadow);
    race_stacks_clear(&self->stacks);
    self->concurrent = self->undo.valid = self->section.open = false;
    self->pair_count = 0;
    self->widest = 1;
}

/* States are saved between findings only: after the first finding, none is saved. */
static void race_save(struct analysis *base, struct image *image) {
    struct race *self = (struct race *)base;
    image_write_number(image, self->concurrent);
    image_write_number(image, self->widest);
    order_write(&self->order, image);
    shadow_write(&self->shadow, image);
}

static void race_load(struct analysis *base, struct image *image) {
    struct race *self = (struct race *)base;
    self->concurrent = image_read_number(image);
    self->widest = (uint32_t)image_read_number(image);
    order_read(&self->order, image);
    shadow_read(&self->shadow, image);
    race_stacks_clear(&self->stacks);
    self->undo.valid = self->section.open = false;
    self->pair_count = 0;
}

/* --- reporting ------------------------------------------------------------------------------ */

/* Returns false if this pair was reported before, or if there are too many pairs to remember. */
static bool new_pair(struct race *self, uint64_t pc, uint64_t earlier_pc) {
    for (uint32_t i = 0; i < self->pair_count; i++) {
        const uint64_t *pcs = self->pairs[i].pcs;
        if ((pcs[0] == pc && pcs[1] == earlier_pc) || (pcs[1] == pc && pcs[0] == earlier_pc))
            return false;
    }
    if (self->pair_count == PAIRS_MAX)
        return false;
    self->pairs[self->pair_count++] = (struct pair){{pc, earlier_pc}};
    return true;
}

static const char *name_effect(uint8_t kind) {
    if (kind & ACCESS_FREE)
        return "free of ";
    return kind & ACCESS_WRITE ? "write of " : "read of ";
}

/* "volatile write of 4 bytes" */
static void name_access(struct text *text, const struct shadow_record *access) {
    if (access->kind & ACCESS_VOLATILE)
        text_add(text, "volatile ");
    else if (access->kind & ACCESS_ATOMIC)
        text_add(text, "atomic ");
    text_add(text, name_effect(access->kind));
    text_add_number(text, access->size);
    text_add(text, access->size == 1 ? " byte" : " bytes");
    if (access->kind & ACCESS_SECTION)
        text_add(text, " in an atomic section");
}

static uint32_t keep_stack(struct race *self, uint32_t stack) {
    if (stack == 0)
        return 0;
    const uint64_t *frames = self->stacks.frames + stack;
    return execution_add_stack(self->context->execution, frames + 1, (uint32_t)frames[0]);
}

static void add_place(struct race *self, const struct shadow_record *access) {
    struct finding *finding = &self->finding;
    struct finding_stack *place = &finding->stacks[finding->stack_count++];
    struct text title = {place->title, sizeof place->title, 0};
    name_access(&title, access);
    place->task = access->task;
    place->pc = access->pc;
    place->stack = keep_stack(self, access->stack);
}

static void report(struct race *self, const struct shadow_access *now) {
    struct finding *finding = &self->finding;
    if (!new_pair(self, now->record.pc, now->earlier.pc))
        return;
    finding->kind = FINDING_RACE;
    finding->task = now->record.task;
    finding->object = now->address;
    finding->stack_count = finding->wait_count = 0;
    struct text text = {finding->text, sizeof finding->text, 0};
    name_access(&text, &now->record);
    text_add(&text, " races with an earlier ");
    name_access(&text, &now->earlier);
    add_place(self, &now->record);
    add_place(self, &now->earlier);
    struct host *host = self->context->host;
    host->ops->found(host, finding);
}

/* --- accesses ------------------------------------------------------------------------------- */

struct taken_stack {
    struct race *race;
    uint64_t pc;
    uint32_t task;
    uint32_t stack; /* the result */
};

static void take_stack(void *context) {
    struct taken_stack *taken = context;
    struct system *system = taken->race->context->system;
    uint64_t pcs[STACK_MAX];
    uint32_t count = system->ops->stack(system, taken->task, taken->pc, pcs, STACK_MAX);
    taken->stack = race_stacks_add(&taken->race->stacks, pcs, count);
}

/* Returns 0 unless evidence is collected. The contents of the program's own stack are the same in
 * both cases. */
static uint32_t current_stack(struct race *self, uint32_t task, uint64_t pc) {
    static struct taken_stack taken;
    taken = (struct taken_stack){.race = self, .pc = pc, .task = task};
    system_unseen(self->context->system, self->context->host->evidence ? take_stack : NULL, &taken);
    return taken.stack;
}

/* A plain write replaces the value of an atomic, so later loads acquire nothing from that value. */
static void overwritten(struct race *self, uint64_t address, uint32_t size) {
    for (uint64_t at = address - self->widest + 1; at < address + size; at++)
        order_overwritten(&self->order, at, address);
}

static void prepare(struct race *self, struct shadow_access *now, uint32_t task, uint64_t address,
                    uint32_t size, uint8_t kind, uint64_t pc) {
    const struct order_task *who = order_task(&self->order, task);
    now->address = address;
    now->clock = &who->clock;
    now->raced = now->annotated = now->overwrote_atomic = false;
    now->record = (struct shadow_record){.pc = pc, .clock = who->own, .size = size, .kind = kind};
    now->record.task = narrow_u16(task);
    now->record.stack = self->judged != NULL ? self->judged->stack : current_stack(self, task, pc);
}

static __attribute__((noinline)) void full_access(struct race *self, uint32_t task,
                                                  uint64_t address, uint32_t size, uint8_t kind,
                                                  uint64_t pc) {
    struct shadow_access now;
    prepare(self, &now, task, address, size, kind, pc);
    shadow_access(&self->shadow, &now);
    if (now.overwrote_atomic)
        overwritten(self, address, size);
    if (now.annotated)
        *self->context->annotated = true;
    if (now.raced)
        report(self, &now);
}

static inline void access(struct race *self, uint32_t task, uint64_t address, uint32_t size,
                          uint8_t kind, uint64_t pc) {
    if (!self->concurrent)
        return;
    const struct order_task *who = order_task(&self->order, task);
    if (self->judged != NULL)
        kind = (uint8_t)((kind & ~ACCESS_PLAIN) | ACCESS_SECTION);
    if (!shadow_known(&self->shadow, address, size, task, who->own, kind))
        full_access(self, task, address, size, kind, pc);
}

static __attribute__((noinline)) void full_atomic(struct race *self, uint32_t task,
                                                  uint64_t address, uint32_t size, uint8_t kind,
                                                  uint64_t pc) {
    struct shadow_access now;
    prepare(self, &now, task, address, size, kind, pc);
    shadow_atomic(&self->shadow, &now);
    if (now.annotated)
        *self->context->annotated = true;
    if (now.raced)
        report(self, &now);
}

/* Rounds of a waiting loop that only waits are left out of the execution. Their looks order
 * nothing, but can race with plain accesses. */
static void look(struct race *self, uint32_t task, uint64_t address, uint32_t size, bool write,
                 uint64_t pc) {
    uint8_t kind = ACCESS_CHECKED | ACCESS_ATOMIC;
    if (size > self->widest)
        self->widest = size;
    full_atomic(self, task, address, size, write ? kind | ACCESS_WRITE | ACCESS_RELEASED : kind,
                pc);
}

/* The look acquires for the accesses of this round only. */
static void begin_round(struct race *self, uint32_t task, uint64_t address, uint32_t size) {
    const struct event look = {
        .op = {.kind = OP_LOAD, .order = ORDER_ACQUIRE, .size = narrow_u8(size), .object = address},
        .task = task};
    struct race_object *location = order_location(&self->order, &look);
    order_remember(&self->order, &self->round, &look, location);
    order_atomic_acquire(&self->order, location, &look);
}

static void end_round(struct race *self) {
    if (self->round.valid)
        order_undo(&self->order, &self->round);
    self->round.valid = false;
}

static __attribute__((noinline)) void look_access(struct race *self, uint32_t task,
                                                  uint64_t address, uint32_t size,
                                                  enum plain_access what, uint64_t pc) {
    if (what == ROUND_BEGINS)
        begin_round(self, task, address, size);
    else if (what == ROUND_ENDS)
        end_round(self);
    else
        look(self, task, address, size, what == LOOK_WRITE, pc);
}

static __attribute__((noinline)) void put_off_access(struct race *self, uint32_t task,
                                                     uint64_t address, uint32_t size, uint8_t kind,
                                                     uint64_t pc) {
    const struct put_off put_off = {.address = address,
                                    .pc = pc,
                                    .size = size,
                                    .stack = current_stack(self, task, pc),
                                    .kind = kind};
    race_section_access(&self->section, &put_off);
}

static void race_access(struct analysis *base, uint32_t task, uint64_t address, uint32_t size,
                        enum plain_access what, uint64_t pc) {
    static const uint8_t kinds[] = {[PLAIN_READ] = ACCESS_CHECKED | ACCESS_PLAIN,
                                    [PLAIN_WRITE] = ACCESS_CHECKED | ACCESS_PLAIN | ACCESS_WRITE,
                                    [PLAIN_FREE] =
                                        ACCESS_CHECKED | ACCESS_PLAIN | ACCESS_WRITE | ACCESS_FREE,
                                    [IGNORED_READ] = ACCESS_PLAIN,
                                    [IGNORED_WRITE] = ACCESS_PLAIN | ACCESS_WRITE};
    struct race *self = (struct race *)base;
    if (what >= LOOK_READ && what <= ROUND_ENDS)
        look_access(self, task, address, size, what, pc);
    else if (__builtin_expect(self->section.open, 0))
        put_off_access(self, task, address, size, kinds[what], pc);
    else
        access(self, task, address, size, kinds[what], pc);
}

/* --- events --------------------------------------------------------------------------------- */

static inline void atomic_access(struct race *self, const struct event *event, uint8_t kind) {
    const struct op *op = &event->op;
    bool write = op->kind != OP_LOAD && !(event->flags & EVENT_FAILED);
    kind |= write ? ACCESS_ATOMIC | ACCESS_WRITE | ACCESS_RELEASED : ACCESS_ATOMIC;
    struct race_object *location = order_location(&self->order, event);
    if (op->size > self->widest)
        self->widest = op->size;
    if (op->kind != OP_STORE && (write || !clock_empty(&location->clock)))
        order_remember(&self->order, &self->undo, event, location);
    order_atomic_acquire(&self->order, location, event);
    uint32_t clock = order_task(&self->order, event->task)->own;
    if (self->context->host->evidence ||
        !shadow_renew_atomic(&self->shadow, op->object, op->size, event->task, clock, kind, op->pc))
        full_atomic(self, event->task, op->object, op->size, kind, op->pc);
    if (write)
        order_atomic_release(&self->order, location, event);
}

static uint8_t checked(const struct event *event) {
    return event->op.annotated ? 0 : ACCESS_CHECKED;
}

/* READ_ONCE and WRITE_ONCE of the Linux kernel mean volatile accesses in this sense. */
static __attribute__((noinline)) void make_relaxed(struct event *relaxed,
                                                   const struct event *event) {
    *relaxed = *event;
    relaxed->op.kind = event->op.kind == OP_VOLATILE_WRITE ? OP_STORE : OP_LOAD;
    relaxed->op.order = ORDER_RELAXED;
}

static void volatile_access(struct race *self, const struct event *event) {
    uint8_t kind = ACCESS_PLAIN | ACCESS_VOLATILE | checked(event);
    if (event->op.kind == OP_VOLATILE_WRITE)
        kind |= ACCESS_WRITE;
    access(self, event->task, event->op.object, event->op.size, kind, event->op.pc);
}

static void judge_event(struct race *self, const struct event *event) {
    struct event relaxed;
    uint8_t kind = ACCESS_CHECKED;
    self->undo.valid = false;
    if (event->op.kind == OP_CREATE)
        self->concurrent = true;
    bool is_volatile = op_info(event->op.kind)->about == ABOUT_VOLATILE;
    if (is_volatile && self->context->options->volatiles == VOLATILE_ATOMIC) {
        kind = ACCESS_VOLATILE | checked(event);
        make_relaxed(&relaxed, event);
        event = &relaxed;
    }
    if (event->op.kind <= OP_CAS)
        atomic_access(self, event, kind);
    else if (is_volatile)
        volatile_access(self, event);
    else
        order_event(&self->order, event);
}

/* Now it is known after which other sections the section comes. */
static void end_section(struct race *self) {
    struct race_section *section = &self->section;
    section->open = false;
    race_section_acquire(section, &self->order);
    for (uint32_t i = 0; i < section->count; i++) {
        const struct put_off *item = self->judged = &section->list[i];
        if (item->size == 0)
            judge_event(self, &item->event);
        else
            access(self, section->task, item->address, item->size, item->kind, item->pc);
    }
    self->judged = NULL;
    race_section_release(section, &self->order);
}

static __attribute__((noinline)) void section_event(struct race *self, const struct event *event) {
    if (!self->section.open) {
        race_section_begin(&self->section, event);
        return;
    }
    bool accesses = op_info(event->op.kind)->class == CLASS_MEMORY;
    race_section_event(&self->section, event,
                       accesses ? current_stack(self, event->task, event->op.pc) : 0);
    if (event->op.kind == OP_ATOMIC)
        end_section(self);
}

static void race_event(struct analysis *base, const struct event *event) {
    struct race *self = (struct race *)base;
    if (event->flags & EVENT_NOTE)
        return;
    if (__builtin_expect(self->section.open || event->op.kind == OP_ATOMIC, 0))
        section_event(self, event);
    else
        judge_event(self, event);
}

/* An execution without the idle event exists, in which the event has ordered nothing. The search
 * does not run that execution, so the event must order nothing here either. */
static void race_idle(struct analysis *base, const struct event *event) {
    struct race *self = (struct race *)base;
    if (self->undo.valid && self->undo.task == event->task)
        order_undo(&self->order, &self->undo);
    self->undo.valid = false;
}

_Static_assert(OP_LOAD == 0 && OP_STORE == 1 && OP_RMW == 2 && OP_CAS == 3,
               "the atomics come first");

static void race_end(struct analysis *base, enum outcome outcome, const struct choice *last) {
    struct race *self = (struct race *)base;
    (void)outcome, (void)last;
    if (self->section.open) /* the execution has ended within the section */
        end_section(self);
}

const struct analysis_ops race_analysis = {
    .name = "race",
    .by_history = true,
    .not_missed = true, /* race_states.c */
    .create = race_create,
    .begin = race_begin,
    .save = race_save,
    .load = race_load,
    .event = race_event,
    .idle = race_idle,
    .access = race_access,
    .end = race_end,
};
