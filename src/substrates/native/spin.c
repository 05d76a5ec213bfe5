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
 * frames and registers); garbage in dead slots costs a longer unrolling, never soundness. */
#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "substrates/native/runtime.h"

enum { VISITS = 32, LOCATIONS = 64, STACK_HASHED = 16 << 10 };

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

static struct spin *spin_of(struct task *task) {
    if (task->spin == NULL) {
        task->spin = scratch_alloc(sizeof *task->spin);
        forget(task->spin, task->effects);
    }
    if (task->spin->effects != task->effects)
        forget(task->spin, task->effects);
    return task->spin;
}

void spin_read(struct task *task, const void *address, uint32_t size) {
    struct spin *spin = spin_of(task);
    if (spin->visit_count == 0) /* nothing polls yet */
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

static bool changed_since(const struct task *task) {
    const struct spin *spin = task->spin;
    for (uint32_t i = spin->first; i < spin->location_count; i++)
        if (!unchanged(&spin->locations[i]))
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

static const struct visit *find_visit(const struct spin *spin, uint64_t pc, uint64_t hash) {
    for (uint32_t i = spin->visit_count; i > 0; i--) {
        const struct visit *visit = &spin->visits[i - 1];
        if (visit->pc == pc && visit->hash == hash)
            return visit;
    }
    return NULL;
}

const struct wait_ops *spin_visit(struct task *task, const struct op *op) {
    struct spin *spin = spin_of(task);
    uint64_t hash = hash_state(task);
    if (spin->overflow || hash == 0)
        return NULL;
    const struct visit *before = find_visit(spin, op->pc, hash);
    if (before != NULL) {
        spin->first = before->location;
        if (!changed_since(task))
            return &spin_wait;
        forget(spin, task->effects); /* the next iteration begins here */
    }
    if (spin->visit_count == VISITS)
        forget(spin, task->effects);
    spin->visits[spin->visit_count++] = (struct visit){op->pc, hash, spin->location_count};
    return NULL;
}

bool spin_parked(const struct task *task) {
    return task->wait == &spin_wait;
}

void spin_woken(struct task *task) {
    forget(task->spin, task->effects);
}
