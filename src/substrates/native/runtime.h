/* runtime.h - the inside of the native substrate: tasks, and how an operation is made.
 *
 * The interposed functions (pthread_mutex_lock, __tsan_atomic32_load, ...) all look alike:
 *
 *     struct task *task = rt.current;              // NULL: not under control, do the real thing
 *     if (task == NULL)
 *         return real.pthread_mutex_lock(mutex);
 *     struct event *event = perform(task, &(struct op){.kind = OP_LOCK, ...}, &mutex_wait);
 *     ... the effect ...
 *     happened(event);
 *
 * perform() publishes the operation and parks the task in front of it; it returns when the engine has
 * chosen this task. What follows, up to the next perform(), is one step. All tasks run on one OS
 * thread, so nothing here needs a lock. Nothing here may use the C library's state while exploring. */
#ifndef NATIVE_RUNTIME_H
#define NATIVE_RUNTIME_H

#include <stdarg.h>
#include <stddef.h>

#include "engine/session.h"
#include "engine/system.h"
#include "substrates/native/layout.h"
#include "substrates/native/native.h"

/* A symbol of the tested program's world that we define. Registers that a call need not preserve come back
 * empty: compilers push one where a frame has to be filled up, and what was in it would be seen by spin.c. */
#if __has_attribute(zero_call_used_regs)
#define CLEARS_REGISTERS __attribute__((zero_call_used_regs("all-gpr")))
#else
#define CLEARS_REGISTERS
#endif
/* Not inlined where our own code calls it: the return address tells whose call it is. */
#define EXPORT __attribute__((visibility("default"), noinline)) CLEARS_REGISTERS

/* The program's call, in the function that it called: the return address. Notes the program's frame
 * too, for spin.c: all registers that a call preserves are pushed right below the return address. */
#define CALLER \
    ({ \
        __builtin_unwind_init(); \
        note_frame((uint64_t)__builtin_dwarf_cfa()); \
        (uint64_t) __builtin_return_address(0); \
    })
/* The same for a function that our own code calls, too: the frame is noted for the program only. */
#define CALLER_OF_PROGRAM \
    ({ \
        __builtin_unwind_init(); \
        uint64_t return_address = (uint64_t)__builtin_return_address(0); \
        if (called_by_program(return_address)) \
            note_frame((uint64_t)__builtin_dwarf_cfa()); \
        return_address; \
    })
/* The same without the frame, for what is no operation. */
#define CALLER_ADDRESS ((uint64_t)__builtin_return_address(0))

struct task;
struct object;

/* How an operation that can block says so. NULL stands for "never blocks". */
struct wait_ops {
    bool (*ready)(const struct task *task);
    /* The n-th that would have to move first, see system.h. NULL: nobody in particular. */
    uint32_t (*holder)(const struct task *task, uint32_t nth);
};

enum { CALLS_MAX = SLOT_CALLS / 16 }; /* deeper ones overwrite the oldest */

/* One instrumented function that has been entered and not left. */
struct call {
    uint64_t pc; /* where it was called */
    uint64_t sp;
};

enum task_state { TASK_UNUSED, TASK_FRESH, TASK_LIVE, TASK_ENDED };

struct spin; /* spin.c */

/* The first operation of a task since its last effect that polls, and what it read. */
struct polled {
    uint64_t place; /* spin.c: where the operation polls; 0: there is none */
    uint64_t effects;
    uint64_t hash;
    uint64_t address, value;
    uint32_t number; /* of the operation */
    uint8_t size;    /* 0: nothing was read */
    bool more;       /* more was read than is known here */
    bool suspect;    /* of spinning: see spin.c */
};

struct task {
    uint32_t id;
    enum task_state state;
    struct slot *machine;        /* machine.h: NULL for a thread */
    struct op op;                /* the pending operation */
    const struct wait_ops *wait; /* of the pending operation */
    struct object *object;       /* of the pending operation, where it has one */
    void *context;               /* fiber: where it goes on */
    uint64_t fs_base;
    uint64_t stack_low; /* the lowest stack pointer seen at rest */
    uint64_t frame;     /* where the program's frames end at its last call of ours */

    struct call *calls; /* call records, in its slot */
    uint32_t depth;
    uint32_t child_count;

    void *(*entry)(void *);
    int (*entry_c11)(void *); /* thrd_create: instead of entry */
    void *argument;
    void *result;
    bool detached, joined;
    bool woken; /* condition variable, futex, barrier: may leave */

    bool cancel_pending, cancel_disabled, cancel_asynchronous;
    bool at_cancel_point;  /* its pending operation may be cut short by pthread_cancel */
    bool exiting;          /* cleaning up: no more cancellation */
    void *cleanup;         /* thread_end.c: handlers of pthread_cleanup_push */
    void *tls_destructors; /* thread_end.c: of C++ thread-locals */
    void **key_values;     /* thread_end.c */

    uint32_t atomic_depth; /* inside heddle_atomic_begin */
    uint32_t locks_held;   /* mutexes, rwlocks, spin locks: for leaked ones */
    struct {
        uint64_t frame; /* of the atomic function that it is in; 0: none (atomic_functions.c) */
        uint32_t depth; /* of its calls there */
        uint32_t outer; /* atomic_depth before */
    } section;
    struct annotated {
        uint8_t
            special[2]; /* reads, writes: what they are depends on annotations (annotations.c) */
        uint16_t ignores[2]; /* of reads, of writes: begun and not ended */
        uint16_t ignores_sync;
        uint32_t fibers; /* created so far */
        uint64_t fiber;  /* the present one; 0: the thread's own */
    } annotated;
    uint64_t exit_pc;                    /* where exit() was called */
    uint64_t heap_used;                  /* heap.c */
    uint64_t clock_ns, clock_tick_ns;    /* virtual time */
    uint64_t clock_effects, clock_place; /* time.c: when and where it was read last */
    uint64_t random_state[4];            /* its own rand() */
    struct traits *traits;   /* traits.c: its name and signal mask; NULL: as at the start */
    struct receive *receive; /* mailbox.c: what it waits for */
    struct spin *spin;       /* spin.c, with the rest */
    struct polled polled;
    uint32_t depth_polled; /* of its calls at its last poll, */
    uint32_t depth_low;    /* and the least since then */
    uint32_t operations;   /* so many, modulo 2^32 */
    uint32_t parts;        /* plain accesses that were operations in the present call of ours */
    uint64_t effects;      /* counts what it changed: a spin iteration changes nothing */
    const struct finding *failure; /* outcome.c: what it found, if it stands before OP_FAIL */
};

struct code_range {
    uint64_t start, size;
};

struct runtime {
    struct task *current; /* NULL: our own code, or not under control */
    struct host *host;
    struct session *session;
    void *engine_context;
    uint64_t fs_now;
    enum outcome outcome;
    uint32_t live_count;
    uint32_t live[SESSION_TASKS]; /* live tasks, ascending */
    uint32_t fresh_count, settled_count;
    uint32_t fresh[SESSION_TASKS]; /* created in this step; so many are at their first operation */
    bool starting;                 /* no decision yet: the engine asks for it when all stand */
    bool at_operation;             /* a task was chosen, and its operation has not happened yet */
    uint32_t moved;                /* who moved last */
    uint32_t prepared;             /* tasks 0 .. prepared-1 have their slot and thread */
    uint32_t wanted;               /* the execution needs so many */
    struct task tasks[SESSION_TASKS];
    struct code_range own_code;      /* the runtime's */
    struct code_range unwinder_code; /* libgcc's */
    struct code_range libc_code;     /* the C library's */
    struct code_range program_code;  /* of the executable, without its libraries */
    struct code_range own_data;      /* the runtime's variables */
    uint64_t early_thread;           /* where a thread was started before main */
    uint32_t atomic_functions;       /* so many are known (atomic_functions.c) */
    bool instrumented;               /* code compiled by `heddle cc` is there */
    bool controlled;                 /* main has begun under our control */
    bool attended;   /* there is a session, also before the program is attached to it */
    bool unattended; /* there is no session: the program runs as it would without us */
    const char *
        left_traces; /* the first call of this execution that did what nobody can put back, or NULL */
    bool concurrent;    /* this execution has had a second task: before that, nothing can race */
    bool explore_plain; /* --races=explore: plain accesses are operations */
    bool cancels;       /* some part of the program refers to pthread_cancel */
    bool debugged;      /* a replay in a debugger */
    bool passing_on; /* a system call of the program, by our code: nothing of ours is half done */
    bool private_stacks;  /* what a task does with its own stack is not told: shared_stack.h */
    bool keeps_registers; /* of tasks that stand: since this execution began they are at hand */
    struct exit_handlers {
        uint32_t all; /* registered so far */
        uint32_t own; /* but for those that the library of C++ registers for itself */
    } exit_handlers, exit_handlers_before_main; /* the latter: by constructors */
    bool tracking_faults;                       /* memory.c: executions start from saved memory */
    struct times *times;                        /* causal_time.c: of this execution, or NULL */
    struct keys *keys;                          /* thread_data.c: of this execution, or NULL */
    struct actions *actions;                    /* calls_signal.c: of this execution, or NULL */
    struct benign *benign;                      /* annotations.c: of this execution, or NULL */
    uint64_t tls_size;  /* bytes of thread-local storage before a control block */
    struct event event; /* the one that is being filled: its address tells nothing of the search */
};

extern struct runtime rt;

/* A call of ours begins. */
static inline void note_frame(uint64_t frame) {
    if (rt.current == NULL)
        return;
    rt.current->frame = frame;
    rt.current->parts = 0;
}

/* --- operations (operation.c) --- */

/* Stands before `op` until chosen. Returns the event, to be filled. `wait` NULL: never blocks. */
struct event *perform_published(struct task *task);
/* Inline: so the fields are written where they belong, once. */
static inline struct event *perform(struct task *task, const struct op *op,
                                    const struct wait_ops *wait, struct object *object) {
    task->op = *op;
    task->wait = wait;
    task->object = object;
    return perform_published(task);
}
/* A task is chosen: the event of its operation, to be filled. */
struct event *begin_event(const struct task *task);
/* The effect of the event is done. */
void happened(struct event *event);

static inline void failed(struct event *event, uint32_t flags) {
    event->flags |= flags;
}

/* One of 0 .. count-1 within the present step. */
uint32_t choose(struct task *task, enum choice_tag tag, uint32_t count);
/* heddle_choose(): an operation with a choice in it (api.c). */
int choose_value(int count, uint64_t pc);

/* --- atomic sections (api.c, atomic_functions.c) --- */

void section_begin(uint64_t pc);
void section_end(uint64_t pc);
void atomic_functions_find(void); /* before main */
/* An instrumented function is entered or left: `frame` is where its frame ends, `pc` is in it. */
__attribute__((noinline)) void atomic_function_entered(struct task *task);
__attribute__((noinline)) void atomic_function_exited(struct task *task);
/* Before an operation: the atomic function was left by a longjmp, and with it the section. */
bool atomic_function_left(struct task *task);
void atomic_function_abandoned(struct task *task); /* its thread ends there */

/* --- annotations (annotations.c) --- */

/* The kind of a plain access: IGNORED_READ or IGNORED_WRITE if annotations tell to ignore its data races. */
enum plain_access annotated_access(const struct task *task, uint64_t address, uint32_t size,
                                   bool write);
static inline enum plain_access kind_of_access(const struct task *task, uint64_t address,
                                               uint32_t size, bool write) {
    if (__builtin_expect(task->annotated.special[write], 0))
        return annotated_access(task, address, size, write);
    return write ? PLAIN_WRITE : PLAIN_READ;
}
void annotations_inherit(struct task *child); /* a task begins */
void annotations_begin(void);                 /* an execution does */
void annotations_fingerprint(struct fingerprint *out);

/* --- findings and ends (outcome.c): each abandons the execution and does not return --- */

_Noreturn void found(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same, but the task goes on if --keep-going says so: for what does not end the program. */
void found_on_the_way(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* As found(), where the place depends on when it was noticed. */
_Noreturn void found_somewhere(struct task *task, enum finding_kind kind, uint64_t pc,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
_Noreturn void found_with(struct finding *finding);
/* Engine side: a task moves that stands before its failure. */
void native_fail(const struct task *task);
/* Adds the place where `task` stands, with its stack if this is the repetition. */
void finding_place(struct finding *finding, struct task *task, uint64_t pc, const char *title);
void process_flush(void);
_Noreturn void end_execution(enum outcome outcome);
/* The search should have had this option from the start, since it decides what an operation is: all that the
 * strategy knows is of no use. The supervisor begins the search again, with the option. */
_Noreturn void begin_search_again(enum lacking lacks);
/* The program does what cannot be controlled: names the call, exit code 5. */
_Noreturn void unsupported(const char *call, uint64_t pc, const char *why);
/* Not controlled, but harmless enough to go on: one line in the ledger. */
void uncontrolled(const char *call, const char *why, uint64_t pc);
/* The same for what changes nothing outside of the memory that we put back: states can be saved all the same. */
void noted(const char *call, const char *why, uint64_t pc);
/* The call gives fewer values than it can: one line in the ledger, and a bound in the verdict. */
void narrowed(const char *call, const char *why, uint64_t pc);

/* --- stacks (stack.c) --- */

/* Writes the current stack of a task, innermost first: from the place `innermost` on, or without any
 * (0) what is known to have been called. How many were written. */
uint32_t task_stack(const struct task *task, uint64_t innermost, uint64_t *pcs, uint32_t max);

/* --- tasks (task.c) --- */

/* The task with that name, new in this execution; NULL if there are too many. */
struct task *task_create(struct task *parent, uint64_t entry, uint64_t pc);
/* The number of the task with that name; NO_TASK if there are too many. */
uint32_t task_number(uint32_t parent, uint32_t child, uint64_t entry, uint64_t pc);
void task_insert_live(uint32_t id);
void task_remove_live(uint32_t id);
struct task *task_of_thread(uint64_t thread); /* a pthread_t; NULL if it is none of ours */
void threads_expected(void);                  /* thread.c: the C library is told, before main */
_Noreturn void task_end(struct task *task);   /* on its own fiber */
bool task_ready(const struct task *task);     /* system.c: a thread that can move */
bool task_is_last(const struct task *task);   /* all others have ended, or are about to */
void tasks_reset(void);
void tasks_prepare(void);              /* between executions: as many as the last one wanted */
void tasks_write(struct image *image); /* at rest: with their stacks */
void tasks_read(struct image *image);

/* --- states (fingerprint.c, and the files that know the parts) --- */

bool native_fingerprint(struct system *self, struct fingerprint *out);
bool native_can_save(void); /* system.c: nothing of the state is out of our reach */
void keys_fingerprint(struct fingerprint *out);
void thread_data_fingerprint(const struct task *task, struct fingerprint *out);
void actions_fingerprint(struct fingerprint *out);

/* --- fibers (fiber.c) --- */

/* Maps its slot, finds it a thread's TLS. Not while an execution is under way that starts from saved
 * memory: starting a thread changes the C library's memory for good. */
void fiber_prepare(struct task *task);
bool fiber_prepared(const struct task *task);
void fiber_track(const struct task *task); /* its thread-local storage is put back from now on */
void fiber_start(struct task *task);       /* a context at the beginning of task_main */
void fiber_run(struct task *task);         /* engine side: until native_next() gives NULL */
void fiber_prepare_machine(struct task *task); /* its stack: it needs no thread-local storage */
void fiber_start_machine(struct task *task, uint64_t top); /* at the beginning of machine_main */
void fiber_leave(void **context);    /* task side: to the engine, until it goes on at *context */
void fiber_park(struct task *task);  /* task side: until native_next() gives this task */
void fibers_on_one_processor(void);  /* while some are prepared, */
void fibers_on_all_processors(void); /* and then not any more */
_Noreturn void fiber_abandon(void);  /* task side: never again here */
_Noreturn void fiber_return(void);   /* likewise, and the engine decides who moves */
_Noreturn void fiber_stop(struct task *task); /* the same, but its stack is still there */
void fiber_main(struct task *task);           /* task.c: what a fiber does */
/* Task side: calls the function on the engine's stack, so that it leaves nothing on the task's own. */
uint64_t fiber_on_engine_stack(uint64_t (*function)(uint64_t argument), uint64_t argument);
struct task *native_next(void); /* system.c: a task stands; who moves? NULL: the engine */

/* --- synchronisation objects (object.c) --- */

enum object_type {
    OBJECT_MUTEX,
    OBJECT_COND,
    OBJECT_RWLOCK,
    OBJECT_SPIN,
    OBJECT_BARRIER,
    OBJECT_SEM,
    OBJECT_ONCE,
    OBJECT_MAILBOX,
    OBJECT_FUTEX,
};

/* The state that we keep beside the program's memory. */
struct object {
    uint64_t address;
    enum object_type type;
    bool destroyed;
    uint32_t owner;   /* mutex, write lock, spin lock, once in progress: a task or NO_TASK */
    uint32_t count;   /* recursion; semaphore value; arrived; readers; messages */
    uint32_t kind;    /* mutex type; barrier size; once state */
    uint32_t waiters; /* tasks asleep on it (condition variables, barriers, futexes) */
    uint64_t version; /* grows with every change: what a polling task watches */
    uint64_t
        sequence; /* generation of a barrier; messages ever sent; rank of a robust mutex among those
                          that its owner holds, the one locked last is the highest */
    struct object_item *items; /* queue: messages, sleepers, readers; first to last */
    struct object_item *items_tail;
    struct object *next;  /* of the same hash */
    struct object *older; /* of all, the one that was made before */
    uint64_t made_at;     /* pc of its first use or init */
};

/* An element of an object's queue, from the execution's arena. */
struct object_item {
    struct object_item *next;
    uint64_t value;
    uint64_t sequence;
};

/* The object at that address. Memory that does not bear our mark is a new object: *fresh says so, and
 * the mark is set. A destroyed object, one of another type, or memory of the heap that was never written is misuse and
 * does not return. */
struct object *object_at(struct task *task, void *address, enum object_type type, uint64_t pc,
                         bool *fresh);
/* Forgets what was there: pthread_mutex_init and its like. */
struct object *object_new(struct task *task, void *address, enum object_type type, uint64_t pc);
struct object_item *object_push(struct object *object, uint64_t value);
uint64_t object_remove(struct object *object, struct object_item *item); /* its value */
/* The lock (mutex, rwlock, spin lock) of the highest rank below `rank` that the task holds; NULL if there is none.
 * Robust mutexes have ranks from 1 on, in the order in which the task took them; all others have 0. */
#define RANK_ANY UINT64_MAX
struct object *object_held_by(const struct task *task, uint64_t rank);
void objects_reset(void);
const struct object *objects_newest(void); /* then ->older */
void objects_write(struct image *image);   /* with all scratch memory */
void objects_read(struct image *image);
void objects_fingerprint(struct fingerprint *out);
/* The address of the object that this points to; 0 if it is no pointer to one of ours. */
uint64_t object_behind(uint64_t pointer);

/* Memory for this execution only, zeroed; not the program's. */
void *scratch_alloc(size_t size);
void *scratch_room(size_t size); /* the same, not zeroed */
void scratch_reset(void);

/* --- memory (memory.c, heap.c) --- */

void memory_save(void); /* the state to which every execution goes back */
void memory_restore(void);
void memory_save_again(void); /* right after memory_restore: the state is now this one */
void memory_write(struct image *image);
void memory_read(struct image *image);
void memory_fingerprint(struct fingerprint *out);
void memory_track(uint64_t start, uint64_t end);   /* from now on part of it */
bool memory_fault(uint64_t address);               /* a write to a page saved lazily: true, go on */
void memory_discard(uint64_t start, uint64_t end); /* reads as zeros afterwards */
void *memory_map(uint64_t at, uint64_t size);      /* for ourselves; at 0: anywhere */
void memory_touch(void *start, size_t size);       /* the kernel will write there */
void heap_keep(void);                              /* what was allocated before main stays */
void heap_track(void);
void heap_restore(void);
void heap_write(struct image *image);
void heap_read(struct image *image);
void heap_fingerprint(struct fingerprint *out);
/* Whole pages of zeros, as a block of the heap. NULL with errno. */
void *heap_pages(size_t size, uint64_t pc);
void heap_pages_free(void *pages, size_t size, uint64_t pc); /* nothing, if they are but a part */
/* Returns if [address, address+size) of the heap may be touched; else that is a finding. */
void heap_check(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc);

enum { HEAP_FILL = 0xbe }; /* each byte of fresh memory of malloc, but for large blocks */

static inline bool in_heap(uint64_t address) {
    return address - HEAP_BASE < HEAP_END - HEAP_BASE;
}

static inline bool is_own_code(uint64_t pc) {
    return pc - rt.own_code.start < rt.own_code.size;
}

/* The unwinder's own locks and accesses are not the program's: its locks are never held across an
 * operation, and it reads tables that nobody writes. */
static inline struct task *task_calling(uint64_t pc) {
    return pc - rt.unwinder_code.start < rt.unwinder_code.size ? NULL : rt.current;
}

/* A function of the C library was called by a task of the program, and not by the runtime for itself. */
static inline bool called_by_program(uint64_t pc) {
    return task_calling(pc) != NULL && !is_own_code(pc);
}

static inline bool own_stack(const struct task *task, uint64_t address) {
    return address - slot_stack_low(task->id) < SLOT_STACK;
}

/* Whether the stack pointer has run out of the task's stack, over the guard and into whatever lies
 * below. A stack that the program made itself (a coroutine's) lies elsewhere. */
static inline bool stack_overflown(const struct task *task, uint64_t sp) {
    return slot_stack_low(task->id) - 1 - sp < SLOT_BELOW;
}

/* Whether so little is left of it that our own frames may not fit: how much they need depends on the
 * search and on the evidence that is collected, so it must not be what decides. */
static inline bool stack_used_up(const struct task *task, uint64_t sp) {
    return stack_overflown(task, sp - SLOT_RESERVE);
}

/* Without a frame of its own: it copies what lies below. */
static inline __attribute__((always_inline)) void copy_below(char *to, const char *from,
                                                             uint64_t count) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static inline uint64_t read_sp(void) {
    uint64_t sp;
    __asm__("mov %%rsp, %0" : "=r"(sp));
    return sp;
}

_Noreturn void stack_overflow(struct task *task, uint64_t pc); /* signals.c */

/* Memory of ours, in which no program has any business. */
static inline bool is_own_memory(uint64_t address) {
    return address - (uint64_t)SESSION_ADDRESS < SESSION_SIZE ||
           address - HEAP_SHADOW < (HEAP_END - HEAP_BASE) / 8 ||
           address - rt.own_data.start < rt.own_data.size;
}

/* Returns if the place of a slot is no thread-local variable of a thread that has ended; else that is a finding (plain.c). */
void check_thread_local(struct task *task, uint64_t address, bool write, uint64_t pc);
_Noreturn void wild_write(struct task *task, uint64_t address, uint64_t pc); /* plain.c */

/* Returns if the program may write there; else that is a finding, made before the damage. */
static inline void check_target(struct task *task, uint64_t address, uint32_t size, uint64_t pc) {
    if (__builtin_expect(is_own_memory(address) || is_own_memory(address + size - 1), 0))
        wild_write(task, address, pc);
}

/* We, or the kernel, touch these bytes for the program: checked as an access of its own (plain.c). */
void access_for(uint64_t address, uint64_t size, bool write, uint64_t pc);

/* Descriptors that the last execution left open, or closed (descriptors.c). */
bool any_opened(void);
void close_opened(void);

/* --- spinning (spin.c) --- */

/* A polling operation is about to be published: NULL, or what it waits for. */
const struct wait_ops *spin_visit(struct task *task, const struct op *op);
/* The task read these bytes. */
void spin_read(struct task *task, const void *address, uint32_t size);
/* Somebody writes to a place of a task's slot: that task, or another one. */
void spin_disturbed(const struct task *by, uint64_t address, uint32_t size);
bool spin_parked(const struct task *task);
void spin_fingerprint(const struct task *task, struct fingerprint *out);
/* It parked, and its last operation alone was the iteration that brought it back. */
bool spin_idle(const struct task *task);
/* Before we return to a suspect: nothing of ours stays on its stack. */
void spin_wipe(void);
void spin_woken(struct task *task);

/* --- machines (machine.h) --- */

/* An operation within an action: a choice is part of its step, everything else is a finding. */
struct event *machine_performs(struct task *task);
/* A plain access of a machine. */
void machine_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc);
void machine_main(struct task *task); /* what its fiber does: one step */
void machine_allocates(uint64_t pc);  /* returns if that is the C library's own business */
/* It asks for what is no part of its state, and so would not come again: a finding. */
void machine_asks_for(const char *what);
/* In the middle of an action: we have run on its stack, and leave nothing there. */
void machine_has_chosen(struct task *task);
/* Whether an action of the task's machine runs; not one of a monitor. */
bool machine_acts(const struct task *task);
/* It exits, or an assumption does not hold: behind what the action has sent. */
_Noreturn void machine_exits(struct task *task, int status, uint64_t pc);
_Noreturn void machine_stops(struct task *task, uint64_t pc);
/* Does not return if something is wrong in an action that has sent events: that comes behind these. Nor if the
 * machine enters its first state, in the step of whoever created it. */
void machine_postpone(const struct finding *finding);
/* Engine side: whether it came from a machine, or main, that goes on later; then all is settled. */
bool machine_has_left(void);
/* It is chosen: sets where it goes on. */
void machine_prepare(struct task *task);

/* --- in a debugger (debugger.c): only if rt.debugged --- */

struct debugger_registers *debugger_registers_of(const struct task *task); /* rt.keeps_registers */
void debugger_begins(const struct task *task); /* its next event, or a line of its own */

/* --- raw system calls: no errno, no cancellation --- */

static inline uint64_t read_fs(void) {
    uint64_t self;
    __asm__("mov %%fs:0, %0" : "=r"(self)); /* the thread control block begins with its address */
    return self;
}

#endif
