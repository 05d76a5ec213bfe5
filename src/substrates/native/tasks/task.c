/* task.c - tasks: their names, their life, their end.
 *
 * A task's number belongs to its name (the number of the child among those of its parent), not
 * to the moment of its creation. The session keeps the table of names over all executions and
 * processes, and a trace carries it. */
#include "substrates/native/tasks/task.h"

#include "base/bytes.h"
#include "base/hash_table.h"
#include "engine/session.h"
#include "event/op_kind.h"
#include "substrates/native/memory/annotations.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/memory/own_pool.h"
#include "substrates/native/native.h"
#include "substrates/native/runtime.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/outcome.h"
#include "base/fingerprint.h"
#include "base/image.h"

enum { STACK_MARGIN = 128, STACK_KEPT = 256 << 10 };

struct task task_table[SESSION_TASKS_MAX];
struct live_tasks live_tasks;
struct fresh_tasks fresh_tasks;

static uint32_t prepared; /* tasks 0 .. prepared-1 have their slot and thread */
static uint32_t wanted;   /* tasks that the last execution needed */

static struct hash_table numbers; /* of tasks, by their names */
static uint32_t indexed;          /* names that are in the table */

static uint64_t key_of(uint32_t parent, uint32_t child) {
    return (uint64_t)parent << 32 | child;
}

/* The supervisor and earlier processes add names, too. */
static void index_names(void) {
    if (numbers.pool == NULL)
        hash_table_init(&numbers, own_pool());
    for (; indexed < rt.session->result.tasks.count; indexed++) {
        const struct task_name *name = &rt.session->result.tasks.list[indexed];
        hash_table_add(&numbers, key_of(name->parent, name->child), indexed);
    }
}

static uint32_t number_of(uint32_t parent, uint32_t child) {
    index_names();
    const struct hash_slot *slot = hash_table_find(&numbers, key_of(parent, child));
    return slot != NULL ? slot->value : NO_TASK;
}

static uint32_t new_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc) {
    struct session *session = rt.session;
    uint32_t limit = session->request.options.tasks_max;
    if (session->result.tasks.count >= SESSION_TASKS_MAX ||
        (limit && session->result.tasks.count >= limit))
        return NO_TASK;
    session->result.tasks.list[session->result.tasks.count] =
        (struct task_name){.parent = parent, .child = child, .entry = entry, .pc = pc};
    return session->result.tasks.count++;
}

uint32_t task_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc) {
    uint32_t id = number_of(parent, child);
    if (id == NO_TASK)
        return new_number(parent, child, entry, pc);
    struct task_name *name = &rt.session->result.tasks.list[id];
    if (name->entry == 0) { /* until now only the name was known */
        name->entry = entry;
        name->pc = pc;
    }
    return id;
}

void task_insert_live(uint32_t id) {
    uint32_t at = live_tasks.count++;
    for (; at > 0 && live_tasks.ids[at - 1] > id; at--)
        live_tasks.ids[at] = live_tasks.ids[at - 1];
    live_tasks.ids[at] = id;
}

void task_remove_live(uint32_t id) {
    uint32_t at = 0;
    while (live_tasks.ids[at] != id)
        at++;
    for (live_tasks.count--; at < live_tasks.count; at++)
        live_tasks.ids[at] = live_tasks.ids[at + 1];
}

static void prepare_up_to(uint32_t count) {
    if (prepared >= count)
        return;
    fibers_on_one_processor();
    for (; prepared < count; prepared++) {
        task_at(prepared)->id = prepared;
        fiber_prepare(task_at(prepared));
    }
    fibers_on_all_processors();
}

/* No thread can be started in the middle of an execution that starts from saved memory. Such an
 * execution is abandoned, and begins again when there are enough threads. */
static void prepare_more(uint32_t count) {
    if (memory_is_saved()) {
        wanted = count;
        end_execution(OUTCOME_RESTART);
    }
    prepare_up_to(count);
}

void tasks_prepare(void) {
    if (wanted <= prepared)
        return;
    uint32_t count = wanted + wanted / 2;
    prepare_up_to(count < SESSION_TASKS_MAX ? count : SESSION_TASKS_MAX);
    memory_save_again();
}

struct task *task_create(struct task *parent, uint64_t entry, uint64_t pc) {
    uint32_t child = parent ? parent->child_count++ : 0;
    uint32_t id = task_number(parent ? parent->id : NO_TASK, child, entry, pc);
    if (id == NO_TASK)
        return NULL;
    struct task *task = task_at(id);
    CHECK(task->state == TASK_UNUSED);
    task->id = id;
    task->fiber.stack_low = slot_stack_top(id);
    if (id >= prepared)
        prepare_more(id + 1);
    fiber_start(task);
    annotations_inherit(task);
    task->state = TASK_FRESH;
    task_insert_live(id);
    fresh_tasks.ids[fresh_tasks.count++] = id;
    if (live_tasks.count >
        rt.session->result.counters
            .tasks_max) /* now, because a task may have ended before the next choice */
        rt.session->result.counters.tasks_max = live_tasks.count;
    if (live_tasks.count > 1)
        live_tasks.concurrent = rt.session->result.observed.threads = true;
    return task;
}

struct task *task_of_thread(uint64_t thread) {
    bool first = thread ==
                 task_at(0)->fiber.fs_base; /* the first thread, whose storage is not in its slot */
    uint64_t id = first ? 0 : (thread - SLOT_BASE) / SLOT_SIZE;
    if (id >= SESSION_TASKS_MAX || task_at(id)->fiber.fs_base != thread ||
        task_at(id)->state == TASK_UNUSED)
        return NULL;
    return task_at(id);
}

/* A task that stands before its end does nothing more that another task could notice, except
 * that it is still there. */
bool task_is_last(const struct task *task) {
    for (uint32_t i = 0; i < live_tasks.count; i++)
        if (live_tasks.ids[i] != task->id && live_task(i)->op.kind != OP_END)
            return false;
    return true;
}

_Noreturn void task_end(struct task *task) {
    task->state = TASK_ENDED;
    task_remove_live(task->id);
    if (live_tasks.count == 0)
        progress.outcome = OUTCOME_ENDED;
    fiber_abandon();
}

/* The task has left nothing below this address. */
static uint64_t stack_end(const struct task *task) {
    uint64_t low = task->fiber.stack_low - STACK_MARGIN;
    return low < slot_stack_low(task->id) ? slot_stack_low(task->id) : low;
}

/* Clears a stack. Otherwise a program that reads uninitialised memory there would see values of
 * an earlier execution, and the same decisions would not give the same execution. */
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
    task->fiber.fs_base = kept.fiber.fs_base;
    task->calls.records = kept.calls.records;
}

static void reset_from(uint32_t first) {
    for (uint32_t id = first; id < rt.session->result.tasks.count; id++)
        if (task_at(id)->state != TASK_UNUSED)
            reset(task_at(id));
}

void tasks_reset(void) {
    reset_from(0);
    live_tasks.count = fresh_tasks.count = fresh_tasks.settled = 0;
    live_tasks.concurrent = false;
}

/* --- saved states --------------------------------------------------------------------------- */

static uint32_t call_count(const struct task *task) {
    return task->calls.depth < CALLS_MAX ? task->calls.depth : CALLS_MAX;
}

/* The stack of a task that has ended is not needed any more. */
static void write_task(struct image *image, const struct task *task) {
    image_write_number(image, task->state);
    if (task->state == TASK_UNUSED)
        return;
    image_write(image, task, sizeof *task);
    if (task->state == TASK_ENDED)
        return;
    image_write(image, (void *)stack_end(task), slot_stack_top(task->id) - stack_end(task));
    image_write(image, task->calls.records, call_count(task) * sizeof *task->calls.records);
}

/* Clears what the task has left on its stack below the end that the stack has now. */
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
    image_read(image, task->calls.records, call_count(task) * sizeof *task->calls.records);
}

void tasks_write(struct image *image) {
    image_write_number(image, live_tasks.count);
    image_write(image, live_tasks.ids, live_tasks.count * sizeof *live_tasks.ids);
    image_write_number(image, live_tasks.concurrent);
    image_write_number(image, rt.session->result.tasks.count);
    for (uint32_t id = 0; id < rt.session->result.tasks.count; id++)
        write_task(image, task_at(id));
}

void tasks_read(struct image *image) {
    live_tasks.count = (uint32_t)image_read_number(image);
    image_read(image, live_tasks.ids, live_tasks.count * sizeof *live_tasks.ids);
    live_tasks.concurrent = image_read_number(image);
    fresh_tasks.count = fresh_tasks.settled = 0;
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t id = 0; id < count; id++)
        read_task(image, task_at(id));
    reset_from(count);
}

uint32_t tasks_prepared(void) {
    return prepared;
}

void tasks_track(void) {
    for (uint32_t id = 1; id < prepared; id++)
        fiber_track(task_at(id));
}

void native_prepare_tasks(uint32_t count) {
    prepare_up_to(count > rt.session->result.tasks.count ? count : rt.session->result.tasks.count);
}
