/* debugger.c - shows the tasks and locks of a replay to a debugger (engine/debugger.h).
 *
 * A task that comes to rest leaves its registers in the table (fiber_park), in the form in which
 * a debugger wants them for unwinding. So a debugger need not know how fibers are switched.
 *
 * The program stops in heddle_debugger_stop(): before main, before the event that the debugger has
 * asked for, at a finding, and at the end. To go back, the debugger starts the program again. Each
 * run begins like the first, because the session is mapped privately (engine/session.c). */
#include "substrates/native/program/debugger.h"

#include <string.h>

#include "engine/debugger.h"
#include "engine/session.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/native.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"

struct debugging debugging;

static struct debugger_task tasks[SESSION_TASKS_MAX];
static struct debugger_lock locks[DEBUGGER_LOCKS];

struct debugger_registers *debugger_registers_of(const struct task *task) {
    return &tasks[task->id].registers;
}

void debugger_begins(const struct task *task) {
    debugger_event(rt.session->live.current->event_count + 1, task->id);
}

/* Between its steps a machine has nothing on its stack, unless it waits in the middle of a step. */
static bool has_stack(const struct task *task) {
    if (task->machine != NULL)
        return task->machine->context != 0;
    return task->state == TASK_LIVE;
}

static uint32_t holder_of(const struct task *task) {
    bool known = task->machine == NULL && task->wait != NULL && task->wait->holder != NULL;
    return known ? task->wait->holder(task, 0) : NO_TASK;
}

static void refresh_task(uint32_t id) {
    struct debugger_task *row = &tasks[id];
    const struct task *task = task_at(id);
    static const uint32_t states[] = {[TASK_UNUSED] = DEBUGGER_ABSENT,
                                      [TASK_FRESH] = DEBUGGER_NEW,
                                      [TASK_LIVE] = DEBUGGER_LIVE,
                                      [TASK_ENDED] = DEBUGGER_ENDED};
    bool live = task->state == TASK_LIVE;
    bool machine = task->machine != NULL;
    row->state = states[task->state];
    row->stands = live && has_stack(task);
    row->enabled = live && (machine ? machine_ready(task->machine) : task_ready(task));
    row->holder = live && !row->enabled ? holder_of(task) : NO_TASK;
    row->kind = task->op.kind;
    row->target = task->op.target;
    row->pc = task->op.pc;
    row->object = machine ? 0 : task->op.object; /* a queue of ours, which has no name */
    row->object2 = machine ? 0 : task->op.object2;
    row->stack_low = slot_stack_low(id);
    row->stack_high = slot_stack_top(id);
}

static void add_lock(struct debugger *debugger, const struct object *object, uint32_t holder,
                     uint64_t count, const char *kind) {
    uint32_t at = debugger->lock_count++;
    if (at >= DEBUGGER_LOCKS)
        return;
    locks[at] = (struct debugger_lock){
        .address = object->address, .holder = holder, .count = (uint32_t)count};
    strncpy(locks[at].kind, kind, sizeof locks[at].kind - 1);
}

static void add_readers(struct debugger *debugger, const struct object *object) {
    for (const struct object_item *item = object->items; item != NULL; item = item->next)
        add_lock(debugger, object, (uint32_t)item->value, item->number, "read lock");
}

static void refresh_locks(struct debugger *debugger) {
    static const char *const kinds[] = {
        [OBJECT_MUTEX] = "mutex", [OBJECT_RWLOCK] = "write lock", [OBJECT_SPIN] = "spin lock"};
    debugger->lock_count = 0;
    for (const struct object *object = objects_newest(); object != NULL; object = object->older) {
        bool lock = !object->destroyed && object->type <= OBJECT_SPIN && kinds[object->type];
        if (lock && object->type == OBJECT_RWLOCK)
            add_readers(debugger, object);
        if (lock && object->owner != NO_TASK)
            add_lock(debugger, object, object->owner,
                     object->type == OBJECT_MUTEX ? object->mutex.count : 1, kinds[object->type]);
    }
}

void native_refresh(struct debugger *debugger) {
    uint32_t count = rt.session->result.tasks.count;
    debugger->tasks = tasks;
    debugger->locks = locks;
    debugger->task_count = count;
    for (uint32_t id = 0; id < count; id++)
        refresh_task(id);
    refresh_locks(debugger);
}
