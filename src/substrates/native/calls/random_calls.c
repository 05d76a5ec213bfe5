/* random_calls.c - the C library's random numbers: each task has a generator of its own.
 *
 * The generator is seeded from --seed and the task's number. So the numbers of a task depend on
 * how often it has asked, not on the schedule. Seeding by the program (srand, srandom, srand48,
 * initstate) seeds the caller's generator. Natively all threads share one sequence, so a program
 * that relies on its exact values will not find them. Only one of many sequences is explored,
 * which the ledger and the verdict say.
 *
 * With --random=choose:N each number is a choice among 0 .. N - 1, and seeds mean nothing. This
 * is a bound, unless the call has no more values than N (arc4random_uniform).
 *
 * Functions that keep their state in the caller's memory (rand_r, erand48, random_r) are
 * deterministic as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/random.h"
#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"

static struct random *generator(struct task *task) {
    return (struct random *)task->random_state;
}

static void seed(struct task *task, uint64_t value) {
    if (task->machine != NULL)
        machine_asks_for("random numbers");
    random_seed(generator(task), value);
    task->effects++;
}

/* An effect, because the next number will differ: a loop that asks for numbers is no waiting
 * loop. */
static uint64_t next(struct task *task) {
    const uint64_t *state = task->random_state;
    if ((state[0] | state[1] | state[2] | state[3]) == 0)
        seed(task, rt.session->request.options.seed * 0x9e3779b97f4a7c15u + task->id);
    task->effects++;
    return random_next(generator(task));
}

/* --- numbers as choices --- */

static uint32_t choices(void) {
    return rt.session->request.options.random_choices;
}

/* One of the explored values of a call that has `all` values; 0: more than can be counted. */
static uint32_t choice_of(const char *call, uint64_t all, uint64_t pc) {
    uint32_t count = choices();
    if (all != 0 && all <= count)
        return (uint32_t)choose_value((int)all, pc);
    narrowed(call, "only the values of --random=choose are explored", pc);
    return (uint32_t)choose_value((int)count, pc);
}

/* Before each call that gives random numbers. */
static void ask(struct task *task, const char *call, uint64_t pc) {
    if (task->machine != NULL)
        machine_asks_for("random numbers");
    if (choices() > 0)
        return;
    ledger_uncontrolled(
        &rt.session->result.ledger, call,
        "only one sequence of numbers is explored; --random=choose:N explores N values", pc);
    rt.session->result.observed.random_fixed = true;
}

/* The highest bits of a number of the generator, or a choice. */
static uint64_t number(struct task *task, const char *call, uint32_t bits, uint64_t pc) {
    ask(task, call, pc);
    return choices() > 0 ? choice_of(call, (uint64_t)1 << bits, pc) : next(task) >> (64 - bits);
}

/* One choice for the whole buffer. Its first bytes hold the value, the low byte first. */
static void fill(struct task *task, const char *call, void *buffer, size_t size, uint64_t pc) {
    unsigned char *at = buffer;
    uint64_t all = size == 0 ? 1 : size < 4 ? (uint64_t)1 << (8 * size) : 0;
    ask(task, call, pc);
    uint32_t chosen = choices() > 0 ? choice_of(call, all, pc) : 0;
    access_for((uint64_t)buffer, size, true, pc);
    for (size_t i = 0; i < size; i++, chosen >>= 8)
        at[i] = (unsigned char)(choices() > 0 ? chosen : next(task) >> 56);
}

/* A call that returns this number of random bits, as that type. */
#define BITS(type, function, bits) \
    EXPORT type function(void) { \
        struct task *task = rt.current; \
        return task == NULL ? real.function() : (type)number(task, #function, bits, CALLER); \
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
    return task == NULL ? real.mrand48() : (int32_t)number(task, "mrand48", 32, CALLER);
}

EXPORT double drand48(void) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.drand48();
    double unit = choices() > 0 ? 1.0 / choices() : 0x1p-53;
    return (double)number(task, "drand48", 53, CALLER) * unit;
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

/* A task has only one state; the buffers are names for it. */
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
    if (bound < 2)
        return 0;
    ask(task, "arc4random_uniform", CALLER);
    return choices() > 0 ? choice_of("arc4random_uniform", bound, CALLER)
                         : (uint32_t)((next(task) >> 32) * bound >> 32);
}

EXPORT void arc4random_buf(void *buffer, size_t size) {
    struct task *task = rt.current;
    if (task == NULL)
        real.arc4random_buf(buffer, size);
    else
        fill(task, "arc4random_buf", buffer, size, CALLER);
}

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned int flags) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.getrandom(buffer, size, flags);
    fill(task, "getrandom", buffer, size, CALLER);
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
    fill(task, "getentropy", buffer, size, CALLER);
    return 0;
}

/* std::random_device::_M_getval(), which would ask the processor. */
EXPORT unsigned int random_device(void *self) __asm__("_ZNSt13random_device9_M_getvalEv");
unsigned int random_device(void *self) {
    struct task *task = rt.current;
    if (task != NULL)
        return (unsigned int)number(task, "std::random_device", 32, CALLER);
    unsigned int (*real_one)(void *) = NULL;
    *(void **)&real_one = dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv");
    return real_one != NULL ? real_one(self) : 0;
}
