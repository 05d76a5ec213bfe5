/* random_races.c - a small random program, made from a seed: does it have a data race?
 *
 * Two or three threads take a few steps each: plain accesses of all sizes, atomics of mixed orders,
 * a mutex, tries, conditions on the last value that was read, a block that is freed. Each thread
 * draws its steps itself, from a number on its own stack. So the threads share only what the steps
 * access. Even seeds have no relaxed orders and no tries, so that a search by states can decide
 * them.
 *
 * usage: random_races SEED */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { VARIABLES = 2 };

static union {
    uint8_t u8[8];
    uint16_t u16[4];
    uint32_t u32[2];
    uint64_t u64;
} plain[VARIABLES];
static atomic_int flags[VARIABLES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *block;

struct drawn {
    uint64_t number;
    int weak; /* any memory orders, and tries */
};

static uint32_t draw(struct drawn *drawn, uint32_t bound) {
    drawn->number = drawn->number * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(drawn->number >> 33) % bound;
}

static int access_plain(struct drawn *drawn) {
    uint32_t variable = draw(drawn, VARIABLES), place = draw(drawn, 8), write = draw(drawn, 2);
    switch (draw(drawn, 4)) {
    case 0: return write ? (plain[variable].u8[place] = 1) : plain[variable].u8[place];
    case 1: return write ? (plain[variable].u16[place / 2] = 1) : plain[variable].u16[place / 2];
    case 2:
        return write ? (int)(plain[variable].u32[place / 4] = 1)
                     : (int)plain[variable].u32[place / 4];
    default: return write ? (int)(plain[variable].u64 = 1) : (int)plain[variable].u64;
    }
}

static int load(struct drawn *drawn, atomic_int *flag) {
    if (drawn->weak && draw(drawn, 2))
        return atomic_load_explicit(flag, memory_order_relaxed);
    return draw(drawn, 2) ? atomic_load_explicit(flag, memory_order_acquire) : atomic_load(flag);
}

static void store(struct drawn *drawn, atomic_int *flag) {
    if (drawn->weak && draw(drawn, 2))
        atomic_store_explicit(flag, 1, memory_order_relaxed);
    else if (draw(drawn, 2))
        atomic_store_explicit(flag, 1, memory_order_release);
    else
        atomic_store(flag, 1);
}

static int modify(struct drawn *drawn, atomic_int *flag) {
    if (drawn->weak && draw(drawn, 2))
        return atomic_fetch_add_explicit(flag, 1, memory_order_acquire);
    return draw(drawn, 2) ? atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel)
                          : atomic_fetch_add(flag, 1);
}

static int exchange(struct drawn *drawn, atomic_int *flag) {
    int expected = 0;
    if (drawn->weak && draw(drawn, 2))
        return !atomic_compare_exchange_strong_explicit(flag, &expected, 1, memory_order_acq_rel,
                                                        memory_order_relaxed);
    return !atomic_compare_exchange_strong(flag, &expected, 1);
}

/* An atomic read of memory that others access without atomics. */
static int mixed(struct drawn *drawn) {
    return (int)__atomic_load_n(&plain[draw(drawn, VARIABLES)].u32[0], __ATOMIC_SEQ_CST);
}

static int mixed_exchange(struct drawn *drawn) {
    uint32_t expected = draw(drawn, 2);
    return __atomic_compare_exchange_n(&plain[draw(drawn, VARIABLES)].u32[0], &expected, 1, 0,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static int locked(struct drawn *drawn) {
    if (drawn->weak && draw(drawn, 2)) {
        if (pthread_mutex_trylock(&mutex) != 0)
            return 1;
    } else {
        pthread_mutex_lock(&mutex);
    }
    int result = access_plain(drawn);
    pthread_mutex_unlock(&mutex);
    return result;
}

static int step(struct drawn *drawn) {
    atomic_int *flag = &flags[draw(drawn, VARIABLES)];
    switch (draw(drawn, 12)) {
    case 0:
    case 1:
    case 2: return access_plain(drawn);
    case 3:
    case 4: return load(drawn, flag);
    case 5: store(drawn, flag); return 0;
    case 6: return modify(drawn, flag);
    case 7: return exchange(drawn, flag);
    case 8: return mixed(drawn);
    case 9: return mixed_exchange(drawn);
    default: return locked(drawn);
    }
}

/* Every second step depends on what the step before it has read. */
static void *thread(void *argument) {
    struct drawn drawn = {(uintptr_t)argument >> 1, (int)((uintptr_t)argument & 1)};
    uint32_t steps = 2 + draw(&drawn, 2), wanted = draw(&drawn, 3);
    int last = (int)wanted;
    for (uint32_t i = 0; i < steps; i++) {
        if (i % 2 == 1 && wanted < 2 && (last != 0) != (int)wanted)
            draw(&drawn, 2);
        else
            last = step(&drawn);
    }
    if (draw(&drawn, 6) == 0)
        block[draw(&drawn, 4)] = 1;
    return NULL;
}

int main(int count, char **arguments) {
    uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    struct drawn drawn = {seed * 7919 + 1, (int)(seed % 2)};
    pthread_t threads[3];
    uint32_t number = 2 + (draw(&drawn, 3) == 0);
    block = malloc(8);
    for (uint32_t i = 0; i < number; i++) {
        uintptr_t own = (uintptr_t)(seed * 1000003 + i * 7877 + 17) << 1 | (uintptr_t)drawn.weak;
        pthread_create(&threads[i], NULL, thread, (void *)own);
    }
    uint32_t early = draw(&drawn, 6);
    if (early == 0)
        step(&drawn);
    if (early == 1)
        pthread_join(threads[--number], NULL);
    uint32_t frees = draw(&drawn, 8) == 0;
    if (frees)
        free(block);
    for (uint32_t i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    plain[0].u64 = 2;
    if (!frees)
        free(block);
    return 0;
}
