/* task.c - tasks: their names, their life, their end.
 *
 * A task's number belongs to its name (the how many-th child of which parent), not to the moment of
 * its creation: the session keeps the table of names over all executions and processes, and a trace
 * carries it. */
#include "base/bytes.h"
#include "base/check.h"
#include "base/narrow.h"
#include "substrates/native/native.h"
#include "substrates/native/runtime.h"

enum { NAME_BUCKETS = 4096, STACK_MARGIN = 128, STACK_KEPT = 256 << 10 };

/* Numbers by name, as open addressing over session->tasks; number + 1, 0 for a free bucket. */
static uint16_t buckets[NAME_BUCKETS];
static uint32_t indexed; /* so many of session->tasks are in it */

static uint32_t bucket_of(uint32_t parent, uint32_t child) {
    return (parent * 2654435761u + child * 40503u) % NAME_BUCKETS;
}

static void index_names(void) {
    struct session *session = rt.session;
    for (; indexed < session->task_count; indexed++) {
        const struct task_name *name = &session->tasks[indexed];
        uint32_t at = bucket_of(name->parent, name->child);
        while (buckets[at] != 0)
            at = (at + 1) % NAME_BUCKETS;
        buckets[at] = narrow_u16(indexed + 1);
    }
}

static uint32_t number_of(uint32_t parent, uint32_t child) {
    index_names();
    for (uint32_t at = bucket_of(parent, child); buckets[at] != 0; at = (at + 1) % NAME_BUCKETS) {
        const struct task_name *name = &rt.session->tasks[buckets[at] - 1];
        if (name->parent == parent && name->child == child)
            return buckets[at] - 1u;
    }
    return NO_TASK;
}

static uint32_t new_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc) {
    struct session *session = rt.session;
    uint32_t limit = session->options.tasks_max;
    if (session->task_count >= SESSION_TASKS || (limit && session->task_count >= limit))
        return NO_TASK;
    session->tasks[session->task_count] =
        (struct task_name){.parent = parent, .child = child, .entry = entry, .pc = pc};
    return session->task_count++;
}

uint32_t task_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc) {
    uint32_t id = number_of(parent, child);
    if (id == NO_TASK)
        return new_number(parent, child, entry, pc);
    struct task_name *name = &rt.session->tasks[id];
    if (name->entry == 0) { /* it was known by its name only */
        name->entry = entry;
        name->pc = pc;
    }
    return id;
}

void task_insert_live(uint32_t id) {
    uint32_t at = rt.live_count++;
    for (; at > 0 && rt.live[at - 1] > id; at--)
        rt.live[at] = rt.live[at - 1];
    rt.live[at] = id;
}

void task_remove_live(uint32_t id) {
    uint32_t at = 0;
    while (rt.live[at] != id)
        at++;
    for (rt.live_count--; at < rt.live_count; at++)
        rt.live[at] = rt.live[at + 1];
}

static void prepare_up_to(uint32_t count) {
    if (rt.prepared >= count)
        return;
    fibers_on_one_processor();
    for (; rt.prepared < count; rt.prepared++) {
        rt.tasks[rt.prepared].id = rt.prepared;
        fiber_prepare(&rt.tasks[rt.prepared]);
    }
    fibers_on_all_processors();
}

/* In the middle of an execution that starts from saved memory no thread can be made: it is abandoned,
 * and begun again when there are enough. */
static void prepare_more(uint32_t count) {
    if (rt.tracking_faults) {
        rt.wanted = count;
        end_execution(OUTCOME_RESTART);
    }
    prepare_up_to(count);
}

void tasks_prepare(void) {
    if (rt.wanted <= rt.prepared)
        return;
    uint32_t count = rt.wanted + rt.wanted / 2;
    prepare_up_to(count < SESSION_TASKS ? count : SESSION_TASKS);
    memory_save_again();
}

struct task *task_create(struct task *parent, uint64_t entry, uint64_t pc) {
    uint32_t child = parent ? parent->child_count++ : 0;
    uint32_t id = task_number(parent ? parent->id : NO_TASK, child, entry, pc);
    if (id == NO_TASK)
        return NULL;
    struct task *task = &rt.tasks[id];
    CHECK(task->state == TASK_UNUSED);
    task->id = id;
    task->stack_low = slot_stack_top(id);
    if (id >= rt.prepared)
        prepare_more(id + 1);
    fiber_start(task);
    annotations_inherit(task);
    task->state = TASK_FRESH;
    task_insert_live(id);
    rt.fresh[rt.fresh_count++] = id;
    if (rt.live_count > rt.session->counters.tasks_max) /* it may have ended at the next choice */
        rt.session->counters.tasks_max = rt.live_count;
    if (rt.live_count > 1)
        rt.concurrent = rt.session->threads_seen = true;
    return task;
}

struct task *task_of_thread(uint64_t thread) {
    bool first = thread == rt.tasks[0].fs_base; /* the one whose storage is not in its slot */
    uint64_t id = first ? 0 : (thread - SLOT_BASE) / SLOT_SIZE;
    if (id >= SESSION_TASKS || rt.tasks[id].fs_base != thread || rt.tasks[id].state == TASK_UNUSED)
        return NULL;
    return &rt.tasks[id];
}

/* A task that stands before its end does nothing more that anybody could notice, but for being there. */
bool task_is_last(const struct task *task) {
    for (uint32_t i = 0; i < rt.live_count; i++)
        if (rt.live[i] != task->id && rt.tasks[rt.live[i]].op.kind != OP_END)
            return false;
    return true;
}

_Noreturn void task_end(struct task *task) {
    task->state = TASK_ENDED;
    task_remove_live(task->id);
    if (rt.live_count == 0)
        rt.outcome = OUTCOME_ENDED;
    fiber_abandon();
}

/* Below this the task has left nothing. */
static uint64_t stack_end(const struct task *task) {
    uint64_t low = task->stack_low - STACK_MARGIN;
    return low < slot_stack_low(task->id) ? slot_stack_low(task->id) : low;
}

/* What the program left on a stack would be seen by whoever reads uninitialised memory there in a
 * later execution: same decisions, same execution. */
static void clean_stack(const struct task *task) {
    uint64_t top = slot_stack_top(task->id), low = stack_end(task);
    if (top - low <= STACK_KEPT)
        bytes_clear((void *)low, top - low);
    else
        memory_discard(slot_stack_low(task->id), top);
}

static void reset(struct task *task) {
    struct task kept = *task;
    clean_stack(task);
    *task = (struct task){0};
    task->id = kept.id;
    task->fs_base = kept.fs_base;
    task->calls = kept.calls;
}

static void reset_from(uint32_t first) {
    for (uint32_t id = first; id < rt.session->task_count; id++)
        if (rt.tasks[id].state != TASK_UNUSED)
            reset(&rt.tasks[id]);
}

void tasks_reset(void) {
    reset_from(0);
    rt.live_count = rt.fresh_count = rt.settled_count = 0;
}

/* --- saved states --------------------------------------------------------------------------- */

static uint32_t call_count(const struct task *task) {
    return task->depth < CALLS_MAX ? task->depth : CALLS_MAX;
}

/* The stack of one that has ended is nobody's any more. */
static void write_task(struct image *image, const struct task *task) {
    image_write_number(image, task->state);
    if (task->state == TASK_UNUSED)
        return;
    image_write(image, task, sizeof *task);
    if (task->state == TASK_ENDED)
        return;
    image_write(image, (void *)stack_end(task), slot_stack_top(task->id) - stack_end(task));
    image_write(image, task->calls, call_count(task) * sizeof *task->calls);
}

/* What has been left on the stack below its former end goes. */
static void cut_stack(const struct task *task, uint64_t low) {
    uint64_t end = stack_end(task), page = end & ~(uint64_t)(PAGE - 1);
    if (low < end && end - low > STACK_KEPT) {
        memory_discard(slot_stack_low(task->id), page);
        low = page;
    }
    if (low < end)
        bytes_clear((void *)low, end - low);
}

static void read_task(struct image *image, struct task *task) {
    enum task_state state = (enum task_state)image_read_number(image);
    uint64_t low = task->state == TASK_UNUSED ? UINT64_MAX : stack_end(task);
    if (state == TASK_UNUSED) {
        if (task->state != TASK_UNUSED)
            reset(task);
        return;
    }
    image_read(image, task, sizeof *task);
    cut_stack(task, low);
    if (task->state == TASK_ENDED)
        return;
    image_read(image, (void *)stack_end(task), slot_stack_top(task->id) - stack_end(task));
    image_read(image, task->calls, call_count(task) * sizeof *task->calls);
}

void tasks_write(struct image *image) {
    image_write_number(image, rt.live_count);
    image_write(image, rt.live, rt.live_count * sizeof *rt.live);
    image_write_number(image, rt.session->task_count);
    for (uint32_t id = 0; id < rt.session->task_count; id++)
        write_task(image, &rt.tasks[id]);
}

void tasks_read(struct image *image) {
    rt.live_count = (uint32_t)image_read_number(image);
    image_read(image, rt.live, rt.live_count * sizeof *rt.live);
    rt.fresh_count = rt.settled_count = 0;
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t id = 0; id < count; id++)
        read_task(image, &rt.tasks[id]);
    reset_from(count);
}

void native_prepare_tasks(uint32_t count) {
    prepare_up_to(count > rt.session->task_count ? count : rt.session->task_count);
}
