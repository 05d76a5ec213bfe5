/* spin.c - parked spinning.
 *
 * A task that polls comes round to the same operation again with nothing changed: not its registers,
 * not its stack, nothing that it wrote. If what it read on the way is unchanged too, it would go on
 * like that for ever, so it waits until one of those locations changes. If nobody can change them any
 * more the execution is stuck, and the deadlock analysis calls that a livelock.
 *
 * How it is seen: since its last effect, each polling operation of a task leaves a visit (place and
 * hash of stack and registers), each read a location with the value read. A second visit with the same
 * place and hash closes an iteration. Equal hashes mean equal states (64 bits of XXH3 over the program's
 * frames and registers).
 *
 * Those frames have slots that the program never wrote, where our own frames stood before. What they
 * hold depends on the search, and would decide here. So a task that comes round to a place for the
 * second time is suspect: from then on our stack is wiped whenever we return to it, and only visits
 * since then are compared.
 *
 * A program that is not instrumented at all is never parked: what it reads and writes is not known.
 * Left out: the same for a library that is not, in a program that is. */
#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "substrates/native/runtime.h"

enum { VISITS = 16, LOCATIONS = 32, STACK_HASHED = 16 << 10, WIPED = 4 << 10 };

struct visit {
    uint64_t pc, hash;
    uint32_t location; /* how many locations there were before it */
};

struct location {
    uint64_t address;
    uint32_t size;
    unsigned char value[16];
};

struct spin {
    uint64_t effects; /* task->effects for which all of this holds */
    uint32_t visit_count, location_count;
    uint32_t first; /* parked: the iteration's first location */
    bool overflow;  /* too many to remember: no parking until the next effect */
    struct visit visits[VISITS];
    struct location locations[LOCATIONS];
};

static void forget(struct spin *spin, uint64_t effects) {
    spin->effects = effects;
    spin->visit_count = spin->location_count = 0;
    spin->overflow = false;
}

static bool is_current(const struct task *task) {
    return task->spin != NULL && task->spin->effects == task->effects;
}

void spin_read(struct task *task, const void *address, uint32_t size) {
    struct spin *spin = task->spin;
    if (!is_current(task) || spin->visit_count == 0) /* nothing polls yet */
        return;
    if (spin->location_count == LOCATIONS || size > 16) {
        spin->overflow = true;
        return;
    }
    struct location *location = &spin->locations[spin->location_count++];
    location->address = (uint64_t)address;
    location->size = size;
    memcpy(location->value, address, size);
}

static bool unchanged(const struct location *location) {
    return memcmp((const void *)location->address, location->value, location->size) == 0;
}

/* In a frame that was left since. */
static bool gone(const struct task *task, const struct location *location) {
    return own_stack(task, location->address) && location->address < task->frame;
}

static bool changed_since(const struct task *task) {
    const struct spin *spin = task->spin;
    for (uint32_t i = spin->first; i < spin->location_count; i++)
        if (!unchanged(&spin->locations[i]) && !gone(task, &spin->locations[i]))
            return true;
    return false;
}

static const struct wait_ops spin_wait = {.ready = changed_since};

/* The program's frames, the address to which it returns, and below that the registers that a call
 * preserves (see CALLER). Our own frames, which lie below, are left out: what they hold depends on the
 * search. */
static uint64_t hash_state(const struct task *task) {
    enum { REGISTERS = 6 * 8, RETURN_ADDRESS = 8 };
    uint64_t low = task->frame - RETURN_ADDRESS - REGISTERS;
    uint64_t size = slot_stack_top(task->id) - low;
    if (size > STACK_HASHED)
        return 0;
    return XXH3_64bits((const void *)low, size) | 1;
}

/* The latest visit of that place; any hash will do if it is 0. */
static const struct visit *find_visit(const struct spin *spin, uint64_t pc, uint64_t hash) {
    for (uint32_t i = spin->visit_count; i > 0; i--) {
        const struct visit *visit = &spin->visits[i - 1];
        if (visit->pc == pc && (hash == 0 || visit->hash == hash))
            return visit;
    }
    return NULL;
}

static void add_visit(struct spin *spin, uint64_t pc, uint64_t hash) {
    if (spin->visit_count == VISITS)
        forget(spin, spin->effects);
    spin->visits[spin->visit_count++] = (struct visit){pc, hash, spin->location_count};
}

/* The first operation since its last effect that polls is noted in the task itself: mostly no other one
 * follows. */
static bool polls_first(struct task *task, uint64_t pc) {
    if (task->polled_at != 0 && task->polled_effects == task->effects)
        return false;
    task->polled_at = pc;
    task->polled_effects = task->effects;
    task->suspect = false;
    return true;
}

static struct spin *spin_of(struct task *task) {
    if (is_current(task))
        return task->spin;
    if (task->spin == NULL)
        task->spin = scratch_room(sizeof *task->spin);
    forget(task->spin, task->effects);
    add_visit(task->spin, task->polled_at, 0);
    return task->spin;
}

/* Its first visits need no hash: they will not be compared. */
static void look_for_suspect(struct task *task, struct spin *spin, uint64_t pc) {
    if (find_visit(spin, pc, 0) != NULL) {
        task->suspect = true;
        forget(spin, task->effects);
    }
    add_visit(spin, pc, task->suspect ? hash_state(task) : 0);
}

const struct wait_ops *spin_visit(struct task *task, const struct op *op) {
    if (!rt.instrumented || polls_first(task, op->pc))
        return NULL;
    struct spin *spin = spin_of(task);
    if (spin->overflow)
        return NULL;
    if (!task->suspect) {
        look_for_suspect(task, spin, op->pc);
        return NULL;
    }
    uint64_t hash = hash_state(task);
    const struct visit *before = hash != 0 ? find_visit(spin, op->pc, hash) : NULL;
    if (before != NULL) {
        spin->first = before->location;
        if (!changed_since(task))
            return &spin_wait;
        forget(spin, task->effects); /* the next iteration begins here */
    }
    add_visit(spin, op->pc, hash);
    return NULL;
}

/* Zeros below our own stack pointer: no frame of the program stands there. */
__attribute__((noinline)) void spin_wipe(void) {
    uint64_t count = WIPED / 8;
    char *low;
    __asm__ volatile("lea %c2(%%rsp), %0\n\trep stosq"
                     : "=&D"(low), "+c"(count)
                     : "i"(-WIPED), "a"(0)
                     : "memory");
}

bool spin_parked(const struct task *task) {
    return task->wait == &spin_wait;
}

void spin_woken(struct task *task) {
    forget(task->spin, task->effects);
}
