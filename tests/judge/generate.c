/* generate.c - makes a random program from a seed.
 *
 * A task is a sequence of pieces: an atomic operation, a critical section, a wait, and so on. A
 * few pieces dominate each program, so that operations meet at the same object. Programs are
 * well defined by POSIX and C11: a task releases the locks that it holds, also when it is
 * cancelled, and nothing is used after its end. Data is accessed under its own lock, unless the
 * program may race. */
#include <errno.h>
#include <string.h>

#include "program.h"

/* --- random choices
 * ----------------------------------------------------------------------------- */

struct maker {
    struct program *program;
    uint64_t drawn;
    int task;            /* the task that is being written */
    int budget;          /* the number of operations that the program may still get */
    int assertions;      /* the number of assertions so far */
    int sends;           /* the number of messages sent so far */
    bool cancels;        /* a parent may cancel its children */
    bool peeks;          /* cells are also accessed without atomics */
    bool exits;          /* some task calls exit, so main must not return */
    bool mixes;          /* cells are accessed in several sizes */
    uint8_t size[CELLS]; /* the size of all accesses to a cell, unless `mixes` */
};

static uint32_t draw(struct maker *maker, uint32_t count) {
    maker->drawn += 0x9e3779b97f4a7c15u;
    uint64_t word = (maker->drawn ^ (maker->drawn >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((word ^ (word >> 31)) % count);
}

static bool one_in(struct maker *maker, uint32_t count) {
    return draw(maker, count) == 0;
}

/* One of `count` objects. The first is preferred, so that tasks meet. */
static int some(struct maker *maker, uint32_t count) {
    return one_in(maker, 2) ? 0 : (int)draw(maker, count);
}

/* --- instructions
 * ------------------------------------------------------------------------------- */

/* The number of instructions that the task can still get. Some room is left for its end. */
static int room(const struct maker *maker) {
    return CODE_MAX - 2 - maker->program->length[maker->task];
}

static struct instruction *put(struct maker *maker, enum kind kind, int object) {
    struct program *program = maker->program;
    struct instruction *at = &program->code[maker->task][program->length[maker->task]++];
    *at = (struct instruction){.kind = (uint8_t)kind, .object = (uint8_t)object};
    maker->budget--;
    return at;
}

static int length(const struct maker *maker) {
    return maker->program->length[maker->task];
}

/* The instructions after the one at `from` become its body. */
static void close_body(struct maker *maker, int from) {
    maker->program->code[maker->task][from].count = (uint8_t)(length(maker) - from - 1);
}

static int open_body(struct maker *maker, enum kind kind) {
    put(maker, kind, 0);
    maker->budget++;
    return length(maker) - 1;
}

/* Adds, in a few cases, an assertion that the register equals `value`, or an assumption that it
 * does not. Both belong to the step before them, so they cost no budget. */
static void judge(struct maker *maker, uint64_t value) {
    if (one_in(maker, 6)) {
        struct instruction *at = put(maker, DO_ASSERT, 0);
        at->count = (uint8_t)maker->assertions++;
        at->value = value;
    } else if (one_in(maker, 16)) {
        put(maker, DO_ASSUME, 0)->value = value;
    } else {
        return;
    }
    maker->budget++;
}

static uint64_t some_value(struct maker *maker, int size) {
    static const uint64_t values[] = {0, 1, 1, 2, 3, 0x0101010101010101, UINT64_MAX};
    uint64_t value = values[draw(maker, 7)];
    return size == 8 ? value : value & ((1ull << (8 * size)) - 1);
}

static void at_cell(struct maker *maker, struct instruction *at) {
    at->size = maker->mixes ? (uint8_t)(1u << draw(maker, 4)) : maker->size[at->object];
    if (maker->mixes)
        at->at = (uint8_t)(at->size * draw(maker, 8u / at->size));
}

static uint8_t some_order(struct maker *maker, enum kind kind) {
    uint8_t order = (uint8_t)draw(maker, ORDERS);
    bool loads = kind == DO_LOAD || kind == DO_AWAIT || kind == DO_POLL;
    bool stores = kind == DO_STORE || kind == DO_CLEAR;
    if ((loads && (order == RELEASE || order == ACQ_REL)) ||
        (stores && (order == ACQUIRE || order == ACQ_REL)))
        return one_in(maker, 2) ? RELAXED : loads ? ACQUIRE : RELEASE;
    return order;
}

/* --- pieces
 * ------------------------------------------------------------------------------------- */

static void atomic(struct maker *maker) {
    static const enum kind kinds[] = {DO_LOAD,       DO_LOAD,     DO_STORE, DO_STORE, DO_EXCHANGE,
                                      DO_CAS_STRONG, DO_CAS_WEAK, DO_ADD,   DO_ADD,   DO_SUB,
                                      DO_OR,         DO_AND,      DO_XOR};
    enum kind kind = kinds[draw(maker, sizeof kinds / sizeof *kinds)];
    struct instruction *at = put(maker, kind, some(maker, CELLS));
    at_cell(maker, at);
    at->order = some_order(maker, kind);
    at->value = some_value(maker, at->size);
    at->other = some_value(maker, at->size);
    if (kind != DO_STORE)
        judge(maker, draw(maker, 3));
}

static void atomic_flag_piece(struct maker *maker) {
    enum kind kind = one_in(maker, 3) ? DO_CLEAR : DO_TEST_AND_SET;
    put(maker, kind, 0)->order = some_order(maker, kind);
    if (kind == DO_TEST_AND_SET)
        judge(maker, draw(maker, 2));
}

static void fence(struct maker *maker) {
    put(maker, DO_FENCE, 0)->order = (uint8_t)draw(maker, ORDERS);
}

static void poll(struct maker *maker) {
    /* The model's AWAIT reads only once, when the value is there. The program reads before, too,
     * and the model would miss a race of such a read with a plain write of the cell. */
    bool waits = one_in(maker, 2) && !maker->peeks;
    struct instruction *at = put(maker, waits ? DO_AWAIT : DO_POLL, some(maker, CELLS));
    at_cell(maker, at);
    at->order = some_order(maker, at->kind);
    at->value = draw(maker, 3);
    at->count = (uint8_t)(at->kind == DO_POLL ? 1 + draw(maker, 2) : draw(maker, 2));
    if (at->kind == DO_POLL)
        judge(maker, draw(maker, 2));
}

static void access_data(struct maker *maker, int object, bool writes) {
    bool is_volatile = !maker->program->races && one_in(maker, 8);
    enum kind kind = writes ? (is_volatile ? DO_VOLATILE_WRITE : DO_WRITE)
                            : (is_volatile ? DO_VOLATILE_READ : DO_READ);
    struct instruction *at = put(maker, kind, object);
    at->size = (uint8_t)(1u << draw(maker, 3));
    at->at = (uint8_t)(at->size * draw(maker, 4u / at->size));
    at->value = 1 + draw(maker, 3);
    if (!writes)
        judge(maker, draw(maker, 3));
}

/* Adds the accesses under a lock that guards `object`. -1 means that the lock guards nothing. */
static void guarded(struct maker *maker, int object, bool writes) {
    if (object >= 0 && !one_in(maker, 4))
        access_data(maker, object, writes && one_in(maker, 2));
    else
        atomic(maker);
    if (object >= 0 && one_in(maker, 2))
        access_data(maker, object, writes && one_in(maker, 2));
}

/* Takes a lock in one of three ways. If the lock may fail, opens a body of an IF and returns its
 * place. Otherwise returns -1. */
static int take(struct maker *maker, enum kind lock, enum kind try, enum kind timed, int object) {
    enum kind kind = one_in(maker, 2) ? lock : one_in(maker, 2) ? try : timed
        ;
    put(maker, kind, object);
    if (kind == lock)
        return -1;
    judge(maker, one_in(maker, 2) ? 0 : kind == try ? EBUSY : ETIMEDOUT);
    return open_body(maker, DO_IF_ZERO);
}

static void mutex(struct maker *maker) {
    int object = one_in(maker, 2) ? (int)draw(maker, MUTEXES) : some(maker, 2);
    int body = take(maker, DO_LOCK, DO_TRYLOCK, DO_TIMEDLOCK, object);
    if (object >= MUTEX_RECURSIVE && one_in(maker, 2)) {
        put(maker, one_in(maker, 3) ? DO_TRYLOCK : DO_LOCK, object);
        put(maker, DO_UNLOCK, object);
        /* The second lock of an error-checking mutex failed, so the mutex is unlocked already, and
         * another unlock returns EPERM. */
        if (object == MUTEX_ERRORCHECK) {
            put(maker, DO_UNLOCK, object);
            if (body >= 0)
                close_body(maker, body);
            return;
        }
    } else {
        guarded(maker, object < MUTEX_RECURSIVE ? object : -1, true);
    }
    put(maker, DO_UNLOCK, object);
    if (body >= 0)
        close_body(maker, body);
}

/* Takes two mutexes in any order, which leads to a deadlock now and then. */
static void two_mutexes(struct maker *maker) {
    int first = (int)draw(maker, MUTEXES),
        second = (first + 1 + (int)draw(maker, MUTEXES - 1)) % MUTEXES;
    put(maker, DO_LOCK, first);
    int body = take(maker, DO_LOCK, DO_TRYLOCK, DO_TIMEDLOCK, second);
    put(maker, DO_UNLOCK, second);
    if (body >= 0)
        close_body(maker, body);
    put(maker, DO_UNLOCK, first);
}

static void rwlock(struct maker *maker) {
    int object = some(maker, RWLOCKS);
    bool writes = one_in(maker, 2);
    int body = writes ? take(maker, DO_WRLOCK, DO_TRYWRLOCK, DO_TIMEDWRLOCK, object)
                      : take(maker, DO_RDLOCK, DO_TRYRDLOCK, DO_TIMEDRDLOCK, object);
    guarded(maker, 2 + object, writes);
    put(maker, DO_RWUNLOCK, object);
    if (body >= 0)
        close_body(maker, body);
}

static void spin(struct maker *maker) {
    int body = -1;
    if (one_in(maker, 2)) {
        put(maker, DO_SPIN_LOCK, 0);
    } else {
        put(maker, DO_SPIN_TRYLOCK, 0);
        body = open_body(maker, DO_IF_ZERO);
    }
    guarded(maker, -1, true);
    put(maker, DO_SPIN_UNLOCK, 0);
    if (body >= 0)
        close_body(maker, body);
}

/* Adds a wait on a condition variable, half of the time only if the data of its mutex is 0. A
 * cancelled wait locks the mutex again. So a task that may be cancelled unlocks by a handler
 * (CLEANUP_PUSH), which it runs at the end of the piece in any case (CLEANUP_POP). */
static void wait(struct maker *maker) {
    int object = some(maker, CONDS), body = -1;
    bool handles = maker->cancels && maker->task != 0;
    put(maker, DO_LOCK, object);
    if (handles)
        put(maker, DO_CLEANUP_PUSH, 0)->count = (uint8_t)object;
    if (one_in(maker, 2)) {
        struct instruction *at = put(maker, DO_READ, object);
        at->size = 1;
        body = open_body(maker, DO_IF_ZERO);
    }
    put(maker, one_in(maker, 2) ? DO_WAIT : DO_TIMEDWAIT, object)->count = (uint8_t)object;
    judge(maker, one_in(maker, 2) ? 0 : ETIMEDOUT);
    if (body >= 0)
        close_body(maker, body);
    if (one_in(maker, 3))
        access_data(maker, object, one_in(maker, 3));
    if (handles)
        put(maker, DO_CLEANUP_POP, 0)->count = 1;
    else
        put(maker, DO_UNLOCK, object);
}

static void signal_piece(struct maker *maker) {
    int object = some(maker, CONDS);
    enum kind kind = one_in(maker, 3) ? DO_BROADCAST : DO_SIGNAL;
    if (!maker->program->races && one_in(maker, 2)) {
        put(maker, kind, object);
        return;
    }
    put(maker, DO_LOCK, object);
    struct instruction *at = put(maker, DO_WRITE, object);
    at->size = 1;
    at->value = 1;
    put(maker, kind, object);
    put(maker, DO_UNLOCK, object);
}

static void semaphore(struct maker *maker) {
    static const enum kind kinds[] = {DO_SEM_WAIT, DO_SEM_TRYWAIT, DO_SEM_TIMEDWAIT, DO_SEM_POST,
                                      DO_SEM_POST, DO_SEM_POST,    DO_SEM_GETVALUE};
    enum kind kind = kinds[draw(maker, 7)];
    put(maker, kind, some(maker, SEMAPHORES));
    if (kind != DO_SEM_POST)
        judge(maker, one_in(maker, 2) ? 0 : kind == DO_SEM_TRYWAIT ? EAGAIN : ETIMEDOUT);
}

static void barrier(struct maker *maker) {
    put(maker, DO_BARRIER, 0);
}

static void once(struct maker *maker) {
    put(maker, DO_ONCE, some(maker, ONCES));
    maker->budget -= 2; /* the routine makes two atomic additions (once_routine in prelude.h) */
}

static void futex(struct maker *maker) {
    enum kind kind = one_in(maker, 2)   ? DO_FUTEX_WAKE
                     : one_in(maker, 2) ? DO_FUTEX_WAIT
                                        : DO_FUTEX_TIMEDWAIT;
    struct instruction *at = put(maker, kind, some(maker, CELLS));
    at->size = 4;
    at->at = one_in(maker, 4) ? 4 : 0;
    at->value = draw(maker, 2);
    at->count = (uint8_t)(1 + draw(maker, 2));
    /* The bit set, or 0 for the call that has none: FUTEX_WAIT instead of FUTEX_WAIT_BITSET. */
    at->other = draw(maker, 4) * draw(maker, 2);
    judge(maker, kind == DO_FUTEX_WAKE ? draw(maker, 3) : one_in(maker, 2) ? EAGAIN : 0);
}

static void choose(struct maker *maker) {
    put(maker, DO_CHOOSE, 0)->count = (uint8_t)(2 + draw(maker, 2));
    if (one_in(maker, 2)) {
        int body = open_body(maker, one_in(maker, 2) ? DO_IF_ZERO : DO_IF_NONZERO);
        atomic(maker);
        close_body(maker, body);
    } else {
        judge(maker, draw(maker, 2));
    }
}

static void section(struct maker *maker) {
    put(maker, DO_SECTION_BEGIN, 0);
    atomic(maker);
    atomic(maker);
    put(maker, DO_SECTION_END, 0);
    maker->budget += 3; /* the section is one step, so its four instructions count as one */
}

static void pause_piece(struct maker *maker) {
    put(maker, one_in(maker, 2) ? DO_YIELD : DO_SLEEP, 0);
}

/* Adds an operation that runs only if the value read before is (or is not) 0. */
static void branch(struct maker *maker) {
    atomic(maker);
    int body = open_body(maker, one_in(maker, 2) ? DO_IF_ZERO : DO_IF_NONZERO);
    atomic(maker);
    close_body(maker, body);
}

/* Adds a cancellation point, with cancellation enabled or disabled. */
static void cancellable(struct maker *maker) {
    bool off = one_in(maker, 3), handler = one_in(maker, 2);
    if (off)
        put(maker, DO_CANCEL_OFF, 0);
    if (handler)
        put(maker, DO_CLEANUP_PUSH, 0)->count = NO_MUTEX;
    if (one_in(maker, 2))
        atomic(maker);
    if (one_in(maker, 2))
        put(maker, one_in(maker, 2) ? DO_TESTCANCEL : DO_SLEEP, 0);
    else
        put(maker, one_in(maker, 2) ? DO_SEM_WAIT : DO_SEM_TIMEDWAIT, some(maker, SEMAPHORES));
    if (handler)
        put(maker, DO_CLEANUP_POP, 0)->count = (uint8_t)draw(maker, 2);
    if (off)
        put(maker, DO_CANCEL_ON, 0);
}

/* One side of passing data without a lock, for programs that may race. The sender accesses plain
 * data and then changes a cell. The receiver reads the cell and then accesses the data, in most
 * cases only if the cell is not 0. The memory orders are drawn, and decide whether the accesses
 * race. */
static void message(struct maker *maker) {
    static const enum kind loads[] = {DO_LOAD, DO_LOAD, DO_EXCHANGE, DO_CAS_STRONG, DO_ADD};
    static const enum kind stores[] = {DO_STORE, DO_STORE, DO_EXCHANGE, DO_ADD, DO_OR};
    bool sends = one_in(maker, 2), fences = one_in(maker, 3);
    int object = some(maker, CELLS), what = one_in(maker, 4) ? some(maker, 2) : object;
    if (sends)
        access_data(maker, what, !one_in(maker, 4));
    if (sends && fences)
        fence(maker);
    enum kind kind = (sends ? stores : loads)[draw(maker, 5)];
    struct instruction *at = put(maker, kind, object);
    at_cell(maker, at);
    at->order = some_order(maker, kind);
    at->value = 1;
    at->other = 2;
    if (sends)
        return;
    int body = one_in(maker, 4) ? -1 : open_body(maker, DO_IF_NONZERO);
    if (fences)
        fence(maker);
    access_data(maker, what, one_in(maker, 2));
    if (body >= 0)
        close_body(maker, body);
}

/* Accesses a cell without atomics, if the program may do so (maker.peeks). */
static void peek(struct maker *maker) {
    if (!maker->peeks) {
        atomic(maker);
        return;
    }
    struct instruction *at =
        put(maker, one_in(maker, 2) ? DO_WRITE : DO_READ, DATA + some(maker, CELLS));
    at->size = maker->size[at->object - DATA];
    at->value = 1 + draw(maker, 2);
}

static void message_piece(struct maker *maker) {
    static const enum kind kinds[] = {DO_RECEIVE, DO_TRY_RECEIVE, DO_RECEIVE_ODD};
    if (maker->sends < MESSAGES_MAX && one_in(maker, 2)) {
        put(maker, DO_SEND, 0)->value = 1 + draw(maker, 4);
        maker->sends++;
    } else {
        put(maker, kinds[draw(maker, 3)], 0);
        judge(maker, draw(maker, 4));
    }
}

static void key(struct maker *maker) {
    put(maker, DO_KEY, 0);
}

static void racy(struct maker *maker) {
    access_data(maker, some(maker, 2), one_in(maker, 2));
}

typedef void piece(struct maker *maker);

static piece *const pieces[] = {atomic,    atomic,        atomic_flag_piece,
                                fence,     poll,          mutex,
                                mutex,     two_mutexes,   rwlock,
                                rwlock,    spin,          wait,
                                wait,      signal_piece,  signal_piece,
                                semaphore, semaphore,     barrier,
                                once,      futex,         futex,
                                choose,    section,       pause_piece,
                                branch,    message_piece, message_piece,
                                key};
static piece *const racing_pieces[] = {
    atomic, poll, atomic_flag_piece, fence,   message, message, message, mutex,
    rwlock, spin, semaphore,         barrier, once,    racy,    peek,    branch};
enum {
    PIECES = sizeof pieces / sizeof *pieces,
    RACING_PIECES = sizeof racing_pieces / sizeof *racing_pieces
};

/* --- programs
 * ----------------------------------------------------------------------------------- */

static void write_pieces(struct maker *maker, piece *const *favourite, int count) {
    for (int i = 0; i < count && maker->budget > 0 && room(maker) > 10; i++) {
        piece *chosen = favourite[draw(maker, 4)];
        if (one_in(maker, 3))
            chosen = maker->program->races ? racing_pieces[draw(maker, RACING_PIECES)]
                                           : pieces[draw(maker, PIECES)];
        if (maker->cancels && maker->task != 0 && one_in(maker, 2))
            chosen = cancellable;
        chosen(maker);
    }
}

/* What a parent does with a task in the end. */
enum parting { JOINS, TRIES, TRIES_ONLY, DETACHES, CREATED_DETACHED, FORGETS };

static void part(struct maker *maker, int task, enum parting parting) {
    if (maker->cancels && parting <= DETACHES && one_in(maker, 2))
        put(maker, DO_CANCEL, task);
    switch (parting) {
    case JOINS: put(maker, DO_JOIN, task); break;
    case TRIES:
    case TRIES_ONLY:
        put(maker, one_in(maker, 2) ? DO_TRYJOIN : DO_TIMEDJOIN, task);
        judge(maker, one_in(maker, 2) ? EBUSY : ETIMEDOUT);
        if (parting == TRIES) {
            int body = open_body(maker, DO_IF_NONZERO);
            put(maker, DO_JOIN, task);
            close_body(maker, body);
        }
        break;
    case DETACHES: put(maker, DO_DETACH, task); break;
    case CREATED_DETACHED:
    case FORGETS: break;
    }
}

static void create_children(struct maker *maker, piece *const *favourite) {
    for (int i = maker->task + 1; i < maker->program->tasks; i++) {
        if (maker->program->parent[i] != maker->task)
            continue;
        put(maker, DO_CREATE, i);
        maker->budget++;
        if (one_in(maker, 6) && maker->task == 0)
            write_pieces(maker, favourite, 1);
    }
}

static void part_with_children(struct maker *maker, const enum parting *parting) {
    for (int i = maker->task + 1; i < maker->program->tasks; i++)
        if (maker->program->parent[i] == maker->task)
            part(maker, i, parting[i]);
}

static void write_task(struct maker *maker, int task, piece *const *favourite,
                       const enum parting *parting) {
    bool joins = parting[task] <= TRIES;
    maker->task = task;
    create_children(maker, favourite);
    if (!one_in(maker, 12)) /* some tasks do nothing at all */
        write_pieces(maker, favourite, 1 + (int)draw(maker, maker->program->tasks > 3 ? 3 : 4));
    part_with_children(maker, parting);
    if (!joins && one_in(maker, 2))
        put(maker, DO_PUBLISH, 0);
    if (maker->exits && one_in(maker, 2))
        put(maker, DO_EXIT, 0);
    else if (one_in(maker, 10))
        put(maker, DO_THREAD_EXIT, 0);
}

static enum parting some_parting(struct maker *maker) {
    static const enum parting usual[] = {
        JOINS, JOINS, JOINS, JOINS, TRIES, TRIES_ONLY, DETACHES, CREATED_DETACHED, FORGETS};
    return one_in(maker, 2) ? JOINS : usual[draw(maker, 9)];
}

static void write_main(struct maker *maker, piece *const *favourite, const enum parting *parting) {
    maker->task = 0;
    create_children(maker, favourite);
    if (one_in(maker, 2))
        write_pieces(maker, favourite, 1 + (int)draw(maker, 2));
    part_with_children(maker, parting);
    if (maker->exits || one_in(maker, 8)) {
        if (one_in(maker, 2))
            put(maker, DO_PUBLISH, 0);
        put(maker, DO_MAIN_EXIT, 0);
    }
}

void generate(struct program *program, uint64_t seed) {
    struct maker maker = {.program = program, .drawn = seed * 0x2545f4914f6cdd1du};
    enum parting parting[TASKS_MAX];
    piece *favourite[4];
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->races = one_in(&maker, 4);
    program->tasks = (uint8_t)(2 + draw(&maker, 3));
    maker.budget = program->tasks == 2 ? 20 : program->tasks == 3 ? 17 : 15;
    program->spurious = one_in(&maker, 6);
    maker.mixes = !program->races && one_in(&maker, 3);
    maker.peeks = program->races && one_in(&maker, 3);
    maker.cancels = !program->races && one_in(&maker, 4);
    maker.exits = one_in(&maker, 16);
    program->barrier_count = (uint8_t)(2 + draw(&maker, 2));
    for (int i = 0; i < SEMAPHORES; i++)
        program->semaphore_value[i] = (uint8_t)draw(&maker, 2);
    for (int i = 0; i < CELLS; i++)
        maker.size[i] = (uint8_t)(1u << draw(&maker, program->races ? 3 : 4));
    for (int i = 0; i < 4; i++)
        favourite[i] = !program->races ? pieces[draw(&maker, PIECES)]
                       : i == 0        ? message
                                       : racing_pieces[draw(&maker, RACING_PIECES)];
    int exits = maker.exits ? 1 + (int)draw(&maker, program->tasks - 1u) : 0;
    for (int i = 1; i < program->tasks; i++) {
        parting[i] = some_parting(&maker);
        program->detached[i] = parting[i] == CREATED_DETACHED;
        program->parent[i] = i > 1 && one_in(&maker, 5);
    }
    for (int i = 1; i < program->tasks; i++) {
        maker.exits = i == exits;
        write_task(&maker, i, favourite, parting);
    }
    maker.exits = exits != 0;
    write_main(&maker, favourite, parting);
}
