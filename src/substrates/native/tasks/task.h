/* task.h - a task: a thread of the program, or a machine. What each part of the substrate keeps
 * about a task stands in a small struct of its own.
 *
 * A task's number belongs to its name (which child of which parent), so it does not depend on
 * the schedule. */
#ifndef NATIVE_TASK_H
#define NATIVE_TASK_H

#include "event/op.h"
#include "substrates/native/layout.h"

struct finding;
struct image;
struct object;
struct receive;
struct slot;
struct spin;
struct traits;
struct wait_ops;

enum { CALLS_MAX = SLOT_CALLS / 16 }; /* deeper calls overwrite the oldest */

/* An instrumented function that has been entered and not left. */
struct call {
    uint64_t pc; /* where it was called */
    uint64_t sp;
};

enum task_state { TASK_UNUSED, TASK_FRESH, TASK_LIVE, TASK_ENDED };

/* fiber.c */
struct task_fiber {
    void *context;      /* where the task goes on */
    uint64_t fs_base;   /* the thread control block; 0: none yet */
    uint64_t stack_low; /* the lowest stack pointer that was seen */
};

struct task_calls {
    struct call *records; /* in the task's slot */
    uint32_t depth;
    uint32_t parts; /* plain accesses that were operations in the present call */
    uint64_t frame; /* where the program's frames end at that call of an interposed function */
};

/* thread.c */
struct task_thread {
    void *(*entry)(void *);
    int (*entry_c11)(void *); /* thrd_create: instead of entry */
    void *argument;
    void *result;
    bool detached, joined;
};

/* cancel.c */
struct task_cancel {
    bool pending, disabled, asynchronous;
    bool at_point; /* pthread_cancel may cut the pending operation short */
};

/* thread_end.c, thread_data.c, process.c */
struct task_end {
    bool exiting;          /* the task cleans up: it cannot be cancelled any more */
    void *cleanup;         /* handlers of pthread_cleanup_push */
    void *tls_destructors; /* of C++ thread-locals */
    void **key_values;     /* of pthread keys */
    uint64_t exit_pc;      /* where exit() was called */
};

/* section.c, atomic_functions.c */
struct task_section {
    uint32_t depth; /* atomic sections that were begun and not ended */
    uint32_t outer; /* this depth before the atomic function was entered */
    uint32_t calls; /* the depth of calls in the atomic function */
    uint64_t frame; /* of the atomic function that the task is in; 0: none */
};

/* memory/annotations.c */
struct task_annotated {
    uint8_t special[2];  /* reads, writes: annotations decide about them */
    uint16_t ignores[2]; /* reads, writes: how often "ignore" was begun and not ended */
    uint16_t ignores_sync;
    uint32_t fibers; /* created so far */
    uint64_t fiber;  /* the present one; 0: the thread's own */
};

/* calls/time.c */
struct task_clock {
    uint64_t ns;
    uint64_t tick_ns; /* by which the last reading moved the clock */
    uint64_t effects; /* task->effects at the last reading */
    uint64_t place;   /* of the last reading */
};

/* The first polling operation of a task since its last effect, and what the operation read
 * (spin.c). */
struct polled {
    uint64_t place; /* where the operation polls; 0: there is no such operation */
    uint64_t effects;
    uint64_t hash;
    uint64_t address, value;
    uint32_t number; /* of the operation */
    uint8_t size;    /* 0: nothing was read */
    bool more;       /* more was read than is noted here */
    bool suspect;    /* of spinning: see spin.c */
};

enum { LOOKS_BEFORE = 3 };

/* The last operations of a task that may be looks of a waiting loop, at the same bytes (await.c). */
struct looked {
    uint64_t object;
    uint32_t operation; /* the number of the last one */
    uint32_t count;
    /* where they were made, in turn, the latest at count - 1: the low half of a digest */
    uint32_t places[LOOKS_BEFORE];
};

/* spin.c, await.c */
struct task_polling {
    struct polled first;
    struct spin *spin;   /* the operations that follow; NULL: none yet */
    uint32_t depth;      /* of calls at the last poll */
    uint32_t depth_low;  /* the least depth of calls since then */
    uint32_t operations; /* all of them are counted, modulo 2^32 */
    struct looked looked;
    struct look *look; /* NULL: the task has not come to a look that may block */
};

struct task {
    uint32_t id;
    enum task_state state;
    struct slot *machine; /* NULL for a thread */

    /* The operation before which the task stands (tasks/operation.h). */
    struct op op;
    const struct wait_ops *wait;   /* NULL: the operation never blocks */
    struct object *object;         /* the synchronisation object; NULL: none */
    struct receive *receive;       /* the request of a receive; else NULL (mailbox.c) */
    const struct finding *failure; /* the finding, if this is OP_FAIL; else NULL (outcome.c) */
    bool woken; /* the task slept, and another one has woken it (sync/sleepers.h) */

    uint64_t effects; /* counts changes by the task: a round of a waiting loop makes none */
    uint32_t child_count;
    uint32_t locks_held; /* mutexes, read-write locks, spin locks */

    struct task_fiber fiber;
    struct task_calls calls;
    struct task_polling polling;
    struct task_thread thread;
    struct task_cancel cancel;
    struct task_end end;
    struct task_section section;
    struct task_annotated annotated;
    struct task_clock clock;
    uint64_t random_state[4]; /* of the task's own rand() */
    struct traits *traits;    /* name and signal mask (traits.c); NULL: as at the start */
};

/* --- all tasks (task.c) --- */

extern struct task task_table[SESSION_TASKS_MAX];

static inline struct task *task_at(uint32_t id) {
    return &task_table[id];
}

/* The tasks of this execution that have not ended. */
struct live_tasks {
    uint32_t count;
    uint32_t ids[SESSION_TASKS_MAX]; /* ascending */
    bool concurrent; /* there has been a second task: before that, nothing can race */
};

extern struct live_tasks live_tasks;

/* The n-th live task. */
static inline struct task *live_task(uint32_t nth) {
    return task_at(live_tasks.ids[nth]);
}

/* Tasks that the present step has created. Each runs up to its first operation within this step. */
struct fresh_tasks {
    uint32_t count;
    uint32_t settled; /* of these, tasks that are at their first operation */
    uint32_t ids[SESSION_TASKS_MAX];
};

extern struct fresh_tasks fresh_tasks;

/* A new task of this execution. NULL: there are too many. */
struct task *task_create(struct task *parent, uint64_t entry, uint64_t pc);
/* The number of the task with this name. NO_TASK: there are too many. */
uint32_t task_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc);
void task_insert_live(uint32_t id);
void task_remove_live(uint32_t id);
/* The task of a pthread_t. NULL: it is none of ours. */
struct task *task_of_thread(uint64_t thread);
/* Ends the task, on its own fiber. */
_Noreturn void task_end(struct task *task);
/* All other tasks have ended, or are about to. */
bool task_is_last(const struct task *task);

void tasks_reset(void);
/* Between executions: prepares as many tasks as the last execution wanted. */
void tasks_prepare(void);
uint32_t tasks_prepared(void);
/* The thread-local storage of all prepared tasks is put back from now on. */
void tasks_track(void);
/* At rest: all tasks with their stacks. */
void tasks_write(struct image *image);
void tasks_read(struct image *image);

#endif
