/* random_loops.c - a small random program whose tasks wait in loops of all kinds, made from a seed.
 *
 *     random_loops SEED FILE      runs the program; its final state is added to the set in FILE
 *     random_loops compare A B    0 if both files hold the same set
 *     random_loops show SEED      prints the program in words
 *
 * Some loops only wait. Others only look as if they did: they remember what they have read, count,
 * or read more than one variable. A final state is all shared values and what each task saw. */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "outcome_set.h"

enum { TASKS_MAX = 3, LENGTH_MAX = 3, OBJECTS = 2 };

/* clang-format off */
#define KIND_NAMES(X) \
    X(STORE) X(ADD) X(EXCHANGE) X(LOAD) X(PUBLISH) \
    X(LOOK) X(LOOK_LESS) X(KEPT) X(YIELDS) X(FENCED) X(VOLATILE) X(CACHED) X(CALLED) X(BY_LIMIT) \
    X(TTAS) X(BY_EXCHANGE) X(BY_CAS) X(BY_WEAK_CAS) X(TICKET) X(CLAIM) \
    X(REMEMBERS) X(COUNTS) X(TRIES) X(TWO) X(BOTH) X(BACKS_OFF) \
    X(TWICE) X(CLAIM_OR_LOOK) X(TOGGLES) X(STORES) X(CAPPED) X(SLEEPS) X(NAPS) \
    X(LOCK_LOOK) X(LOCK_LOOK_YIELD) X(TRYLOCKS) X(TIMED_LOCK) X(TIMED_WAIT)
/* clang-format on */
#define NAME(kind) kind,
enum kind { KIND_NAMES(NAME) KINDS };
#undef NAME

struct instruction {
    enum kind kind;
    int object, value;
};

static struct instruction script[TASKS_MAX][LENGTH_MAX];
static int task_count, lengths[TASKS_MAX];

static atomic_int variables[OBJECTS], limits[OBJECTS];
static volatile int flags[OBJECTS];
static atomic_int held, next, serving;
static int cached[TASKS_MAX][OBJECTS];
static int guarded, guarded_twice; /* by `held`, and by both mutexes */
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int conditions[OBJECTS];
static uint64_t seen[TASKS_MAX];

static void see(int self, int value) {
    seen[self] = (seen[self] ^ ((uint64_t)value + 17)) * 0x100000001b3u;
}

/* --- loops that only wait --------------------------------------------------------------------- */

static __attribute__((noinline)) int look(const atomic_int *variable) {
    return atomic_load(variable);
}

static void waits(int self, const struct instruction *i) {
    atomic_int *variable = &variables[i->object];
    int value = 0;
    switch (i->kind) {
    case LOOK:
        while (atomic_load(variable) != i->value)
            ;
        break;
    case LOOK_LESS:
        while (atomic_load(variable) <= i->value)
            ;
        break;
    case KEPT:
        do
            value = atomic_load(variable);
        while (value == 0);
        see(self, value);
        break;
    case YIELDS:
        while ((value = atomic_load(variable)) != i->value + 1)
            sched_yield();
        break;
    case FENCED:
        while (atomic_load_explicit(variable, memory_order_relaxed) == 0)
            atomic_thread_fence(memory_order_acquire);
        break;
    case VOLATILE:
        while (flags[i->object] == 0)
            ;
        break;
    case CACHED: /* as in a queue that keeps a copy of the other side's index */
        while (cached[self][i->object] == 0)
            cached[self][i->object] = atomic_load(variable);
        see(self, cached[self][i->object]);
        break;
    case CALLED:
        while (look(variable) == 0)
            ;
        break;
    case BY_LIMIT:
        while (atomic_load(variable) < 1 + cached[self][!i->object])
            ;
        break;
    default: abort();
    }
}

/* --- locks ------------------------------------------------------------------------------------ */

static void spins(int self, const struct instruction *i) {
    int expected = 0, mine;
    switch (i->kind) {
    case TTAS:
        do {
            while (atomic_load(&held) != 0)
                ;
        } while (atomic_exchange(&held, 1) != 0);
        break;
    case BY_EXCHANGE:
        while (atomic_exchange(&held, 1) != 0)
            ;
        break;
    case BY_CAS:
        while (!atomic_compare_exchange_strong(&held, &expected, 1))
            expected = 0;
        break;
    case BY_WEAK_CAS:
        do
            expected = 0;
        while (!atomic_compare_exchange_weak(&held, &expected, 1));
        break;
    case TICKET:
        mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine)
            ;
        see(self, mine);
        atomic_store(&serving, mine + 1);
        return;
    case CLAIM: /* the task that finds the variable set takes it */
        expected = 1;
        while (!atomic_compare_exchange_strong(&variables[i->object], &expected, 2))
            expected = 1;
        return;
    default: abort();
    }
    see(self, ++guarded);
    atomic_store(&held, 0);
}

static const struct timespec soon = {.tv_sec = 1};

/* --- loops that do more than wait ------------------------------------------------------------- */

static void does_more(int self, const struct instruction *i) {
    atomic_int *variable = &variables[i->object], *other = &variables[!i->object];
    int value, before = -1, count = 0;
    switch (i->kind) {
    case REMEMBERS: /* the value that was read before the last one */
        while ((value = atomic_load(variable)) != i->value + 1)
            before = value;
        see(self, before);
        break;
    case COUNTS:
        while (atomic_load(variable) == 0 && count < 2)
            count++;
        see(self, count);
        break;
    case TRIES:
        for (count = 0; count < 2 && atomic_load(variable) != i->value; count++)
            sched_yield();
        see(self, count);
        break;
    case TWO:
        while (atomic_load(variable) == 0 && atomic_load(other) == 0)
            ;
        break;
    case BOTH:
        while (atomic_load(variable) == 0 || atomic_load(other) == 0)
            ;
        break;
    case BACKS_OFF:
        for (int pause = 1; atomic_load(variable) == 0 && pause < 8; pause *= 2)
            for (volatile int spent = 0; spent < pause; spent++)
                ;
        break;
    case TWICE: /* the two looks of a round can read different values */
        while ((value = atomic_load(variable)) != i->value + 1) {
            before = atomic_load(variable);
            if (before != value)
                break;
        }
        see(self, before * 10 + value);
        break;
    case CLAIM_OR_LOOK:
        for (;;) {
            int expected = 7;
            if (atomic_compare_exchange_strong(variable, &expected, 2))
                break;
            value = atomic_load(variable);
            if (value == 1) {
                see(self, expected);
                break;
            }
        }
        break;
    case TOGGLES: /* every second round is another one */
        while (atomic_load(variable) == 0)
            before = !before;
        see(self, before);
        break;
    case STORES: /* another task can see each round */
        while (atomic_load(variable) == 0)
            atomic_store(&limits[i->object], self + 1);
        see(self, atomic_load(&limits[i->object]));
        break;
    case CAPPED: /* the pause becomes longer, but not for ever */
        for (int pause = 1; atomic_load(variable) == 0; pause = pause < 4 ? 2 * pause : 4)
            for (volatile int spent = 0; spent < pause; spent++)
                ;
        break;
    case SLEEPS:
        while ((value = atomic_load(variable)) == 0)
            syscall(SYS_futex, variable, FUTEX_WAIT, 0, NULL);
        see(self, value);
        break;
    case NAPS: /* needs nobody to wake it */
        while ((value = atomic_load(variable)) == 0)
            syscall(SYS_futex, variable, FUTEX_WAIT, 0, &soon);
        see(self, value);
        break;
    default: abort();
    }
}

/* --- loops with locks --------------------------------------------------------------------------- */

static void locks(int self, const struct instruction *i) {
    pthread_mutex_t *mutex = &mutexes[i->object], *other = &mutexes[!i->object];
    bool done = false;
    switch (i->kind) {
    case LOCK_LOOK:
    case LOCK_LOOK_YIELD:
        while (!done) {
            pthread_mutex_lock(&mutexes[0]);
            done = conditions[i->object];
            pthread_mutex_unlock(&mutexes[0]);
            if (i->kind == LOCK_LOOK_YIELD)
                sched_yield();
        }
        break;
    case TRYLOCKS: /* two mutexes in any order, as std::lock takes them */
        pthread_mutex_lock(mutex);
        while (pthread_mutex_trylock(other) != 0) {
            pthread_mutex_unlock(mutex);
            sched_yield();
            pthread_mutex_lock(mutex);
        }
        see(self, ++guarded_twice);
        pthread_mutex_unlock(other);
        pthread_mutex_unlock(mutex);
        break;
    case TIMED_LOCK:
        while (pthread_mutex_timedlock(&mutexes[0], &soon) != 0)
            ;
        conditions[i->object] = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutexes[0]);
        break;
    case TIMED_WAIT:
        pthread_mutex_lock(&mutexes[0]);
        while (!conditions[i->object])
            pthread_cond_timedwait(&changed, &mutexes[0], &soon);
        pthread_mutex_unlock(&mutexes[0]);
        break;
    default: abort();
    }
}

static void changes(int self, const struct instruction *i) {
    atomic_int *variable = &variables[i->object];
    switch (i->kind) {
    case STORE:
        atomic_store(variable, i->value);
        flags[i->object] = i->value;
        break;
    case ADD: see(self, atomic_fetch_add(variable, 1)); break;
    case EXCHANGE: see(self, atomic_exchange(variable, i->value + 1)); break;
    case LOAD: see(self, atomic_load(variable)); break;
    case PUBLISH:
        atomic_store(variable, 1);
        syscall(SYS_futex, variable, FUTEX_WAKE, 8);
        break;
    default: abort();
    }
}

static void *run_script(void *argument) {
    int self = (int)(intptr_t)argument;
    for (int at = 0; at < lengths[self]; at++) {
        const struct instruction *i = &script[self][at];
        if (i->kind <= PUBLISH)
            changes(self, i);
        else if (i->kind <= BY_LIMIT)
            waits(self, i);
        else if (i->kind <= CLAIM)
            spins(self, i);
        else if (i->kind <= NAPS)
            does_more(self, i);
        else
            locks(self, i);
    }
    return NULL;
}

static uint64_t generator;

static int below(int bound) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (int)((generator >> 33) % (uint64_t)bound);
}

/* Half of the instructions change something, so that most loops end. A program has at most one loop
 * of a kind that keeps a task moving, because their rounds multiply. */
static void make_scripts(uint64_t seed) {
    int moving = 0;
    generator = seed * 2 + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    int favourite = LOOK + below(KINDS - LOOK);
    task_count = 2 + below(2);
    for (int task = 0; task < task_count; task++) {
        lengths[task] = 1 + below(task_count == 2 ? LENGTH_MAX : 2);
        for (int at = 0; at < lengths[task]; at++) {
            int kind = below(2) ? below(LOOK) : below(2) ? favourite : LOOK + below(KINDS - LOOK);
            moving += kind >= REMEMBERS;
            if (kind >= REMEMBERS && moving > 2)
                kind = below(LOOK);
            script[task][at] = (struct instruction){(enum kind)kind, below(OBJECTS), below(2)};
        }
    }
}

static int show(uint64_t seed) {
#define NAME(kind) #kind,
    static const char *const names[] = {KIND_NAMES(NAME)};
#undef NAME
    make_scripts(seed);
    for (int task = 0; task < task_count; task++) {
        printf("task %d:", task);
        for (int at = 0; at < lengths[task]; at++)
            printf(" %s(%d, %d)", names[script[task][at].kind], script[task][at].object,
                   script[task][at].value);
        printf("\n");
    }
    return 0;
}

static uint64_t final_state(void) {
    uint64_t state = (uint64_t)guarded * 8 + (uint64_t)guarded_twice;
    for (int i = 0; i < OBJECTS; i++)
        state = state * 31 + (uint64_t)variables[i] * 7 + (uint64_t)conditions[i];
    for (int task = 0; task < task_count; task++)
        state = (state ^ seen[task]) * 0x9e3779b97f4a7c15u;
    return state << 8;
}

int main(int argc, char **argv) {
    pthread_t threads[TASKS_MAX];
    int status = set_command(argc, argv, show);
    if (status >= 0)
        return status;
    make_scripts(strtoull(argv[1], NULL, 0));
    for (int i = 0; i < task_count; i++)
        pthread_create(&threads[i], NULL, run_script, (void *)(intptr_t)i);
    for (int i = 0; i < task_count; i++)
        pthread_join(threads[i], NULL);
    set_add(final_state());
    return 0;
}
