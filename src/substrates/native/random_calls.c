/* random_calls.c - the C library's random numbers, each task with a generator of its own.
 *
 * It is seeded from --seed and the task's number, so what a task gets depends on how often it asked,
 * not on the schedule. Seeding by the program (srand, srandom, srand48, initstate) seeds the caller's.
 * Natively the tasks share one sequence; a program that relies on its exact values will not find
 * them. Functions that keep their state in the caller's memory (rand_r, erand48, random_r) are
 * deterministic as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/random.h"
#include "substrates/native/real.h"
#include "substrates/native/runtime.h"

static struct random *generator(struct task *task) {
    return (struct random *)task->random_state;
}

static void seed(struct task *task, uint64_t value) {
    if (task->machine != NULL)
        machine_asks_for("random numbers");
    random_seed(generator(task), value);
    task->effects++;
}

/* An effect: the next one will differ, and so a loop that asks is no spinning. */
static uint64_t next(struct task *task) {
    const uint64_t *state = task->random_state;
    if (task->machine != NULL)
        machine_asks_for("random numbers");
    if ((state[0] | state[1] | state[2] | state[3]) == 0)
        seed(task, rt.session->options.seed * 0x9e3779b97f4a7c15u + task->id);
    task->effects++;
    return random_next(generator(task));
}

static void fill(struct task *task, void *buffer, size_t size, uint64_t pc) {
    unsigned char *at = buffer;
    access_for((uint64_t)buffer, size, true, pc);
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)(next(task) >> 56);
}

/* A call that returns so many random bits, as that type. */
#define BITS(type, function, bits) \
    EXPORT type function(void) { \
        struct task *task = rt.current; \
        return task == NULL ? real.function() : (type)(next(task) >> (64 - (bits))); \
    }
#define SEED(type, function) \
    EXPORT void function(type value) { \
        struct task *task = rt.current; \
        if (task == NULL) \
            real.function(value); \
        else \
            seed(task, (uint64_t)value); \
    }

BITS(int, rand, 31)
BITS(long, random, 31)
BITS(long, lrand48, 31)
BITS(uint32_t, arc4random, 32)
SEED(unsigned int, srand)
SEED(unsigned int, srandom)
SEED(long, srand48)

EXPORT long mrand48(void) {
    struct task *task = rt.current;
    return task == NULL ? real.mrand48() : (int32_t)(next(task) >> 32);
}

EXPORT double drand48(void) {
    struct task *task = rt.current;
    return task == NULL ? real.drand48() : (double)(next(task) >> 11) * 0x1p-53;
}

EXPORT unsigned short *seed48(unsigned short words[3]) {
    static unsigned short before[3];
    struct task *task = rt.current;
    if (task == NULL)
        return real.seed48(words);
    seed(task, (uint64_t)words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32);
    return before;
}

EXPORT void lcong48(unsigned short words[7]) {
    struct task *task = rt.current;
    if (task == NULL)
        real.lcong48(words);
    else
        seed48(words);
}

/* There is one state a task; the buffers are only names for it. */
EXPORT char *initstate(unsigned int value, char *buffer, size_t size) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.initstate(value, buffer, size);
    seed(task, value);
    return buffer;
}

EXPORT char *setstate(char *buffer) {
    return rt.current == NULL ? real.setstate(buffer) : buffer;
}

EXPORT uint32_t arc4random_uniform(uint32_t bound) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.arc4random_uniform(bound);
    return bound < 2 ? 0 : (uint32_t)((next(task) >> 32) * bound >> 32);
}

EXPORT void arc4random_buf(void *buffer, size_t size) {
    struct task *task = rt.current;
    if (task == NULL)
        real.arc4random_buf(buffer, size);
    else
        fill(task, buffer, size, CALLER);
}

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned int flags) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.getrandom(buffer, size, flags);
    fill(task, buffer, size, CALLER);
    return (ssize_t)size;
}

EXPORT int getentropy(void *buffer, size_t size) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.getentropy(buffer, size);
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    fill(task, buffer, size, CALLER);
    return 0;
}

/* std::random_device::_M_getval(), which asks the processor. */
EXPORT unsigned int random_device(void *self) __asm__("_ZNSt13random_device9_M_getvalEv");
unsigned int random_device(void *self) {
    struct task *task = rt.current;
    if (task != NULL)
        return (unsigned int)(next(task) >> 32);
    unsigned int (*real_one)(void *) = NULL;
    *(void **)&real_one = dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv");
    return real_one != NULL ? real_one(self) : 0;
}
