/* spin.c - waiting loops: a task that polls in vain is parked.
 *
 * A task that polls comes round to the same operation again with nothing changed: neither its
 * registers, nor its stack, nor any memory that it writes. If the values that it read on the way
 * are unchanged too, the loop would go on like that for ever. So the task waits until one of
 * these locations changes. If no task can change them any more the execution is stuck, and the
 * deadlock analysis calls this a livelock.
 *
 * How it works: since the last effect of the task, each polling operation leaves a visit (its
 * place, and a hash of stack and registers), and each read leaves a location with the value that
 * was read. A second visit with the same place and hash closes a round of the loop. Equal hashes
 * mean equal states (64 bits of XXH3 over the program's frames and registers).
 *
 * The program's frames have slots that the program never wrote, in which our own frames stood
 * before. Their content depends on the search, and must not decide here. While the frames of a
 * visit stay, so do these slots, and the next visit can be compared with it. Once a function has
 * returned, it cannot. A task that then comes to the place of such a visit again is suspect:
 * from then on our part of the stack is cleared whenever we return to the task, and only visits
 * since then are compared.
 *
 * A task changes its own stack itself (for example a volatile counter that makes a pause
 * longer), and the frames show such a change. For a location on the task's own stack, only
 * writes of other tasks count. If another task writes there during a round, the round does not
 * count (spin_disturbed). If another task writes there while this task is parked, the task wakes
 * up.
 *
 * If a round has more operations than there is room for visits, the task is compared with one
 * visit only, for twice as many operations each time.
 *
 * A program that is not instrumented at all is never parked, because its reads and writes are
 * not known. Left out: the same for a library that is not instrumented, in a program that is.
 *
 * Left out as well: a loop whose effects cancel each other (lock, try, unlock). Its task is as
 * before, but in every round another task can find the lock held, and a bug can need any number of
 * rounds. If such tasks were parked and woken whenever another task stands before such a try, two
 * of them would wake each other for ever. If an execution were cut there, a reduction would miss
 * the races of what comes after. The state of the whole program does repeat, so `ses` ends. For all
 * other strategies the reader is told which tasks go round (engine/rounds.h). */
#define XXH_INLINE_ALL
#include "substrates/native/tasks/spin.h"

#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/fingerprint.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/stack_room.h"

enum {
    VISITS = 16,
    LOCATIONS = 32,
    OWN_LOCATIONS = 8,
    STACK_HASHED = 16 << 10,
    STACK_HASHED_FIRST = 1 << 10, /* of the first visit, which is mostly the only one */
    WIPED = 4 << 10,
};

struct visit {
    uint64_t place, hash; /* hash 0: the visit must not be compared */
    uint32_t location;    /* the number of locations before this visit */
    uint32_t number;      /* the number of the operation */
};

struct location {
    uint64_t address;
    uint32_t size;
    unsigned char value[16];
};

struct spin {
    uint64_t effects; /* the value of task->effects for which all of this holds */
    uint32_t visit_count, location_count;
    uint32_t own_count;
    uint32_t first; /* parked: the first location of the round, */
    uint32_t round; /* and the number of its operations */
    uint32_t alone; /* operations to compare with the only visit; 0: every operation is a visit */
    uint32_t since; /* operations that were compared with it so far */
    bool overflow;  /* there were too many: the task is not parked before its next effect */
    struct visit visits[VISITS];
    struct location locations[LOCATIONS];
    struct location own[OWN_LOCATIONS]; /* on the task's own stack, each once */
};

static void forget(struct spin *spin, uint64_t effects) {
    spin->effects = effects;
    spin->visit_count = spin->location_count = spin->own_count = 0;
    spin->alone = spin->since = 0;
    spin->overflow = false;
}

/* The task has polled since its last effect. */
static bool has_polled(const struct task *task) {
    return task->polling.first.place != 0 && task->polling.first.effects == task->effects;
}

static bool is_current(const struct task *task) {
    return task->polling.spin != NULL && task->polling.spin->effects == task->effects;
}

static bool overlaps(uint64_t address, uint32_t size, uint64_t other, uint32_t other_size) {
    return address < other + other_size && other < address + size;
}

static void set_location(struct location *location, uint64_t address, const void *value,
                         uint32_t size) {
    location->address = address;
    location->size = size;
    bytes_copy(location->value, value, size);
}

static void add_own(struct spin *spin, uint64_t address, const void *value, uint32_t size) {
    for (uint32_t i = 0; i < spin->own_count; i++)
        if (spin->own[i].address == address && spin->own[i].size == size)
            return;
    if (spin->own_count == OWN_LOCATIONS)
        spin->overflow = true;
    else
        set_location(&spin->own[spin->own_count++], address, value, size);
}

/* A location holds several elements of an array that is read in a row, since the last visit. */
static bool extend_last(struct spin *spin, uint64_t address, const void *value, uint32_t size) {
    uint32_t visited = spin->visit_count > 0 ? spin->visits[spin->visit_count - 1].location : 0;
    if (spin->location_count <= visited)
        return false;
    struct location *last = &spin->locations[spin->location_count - 1];
    if (last->address + last->size != address || last->size + size > sizeof last->value)
        return false;
    bytes_copy(last->value + last->size, value, size);
    last->size += size;
    return true;
}

static void add_location(struct task *task, uint64_t address, const void *value, uint32_t size) {
    struct spin *spin = task->polling.spin;
    if (size > sizeof spin->locations->value)
        spin->overflow = true;
    else if (own_stack(task, address))
        add_own(spin, address, value, size);
    else if (extend_last(spin, address, value, size))
        return;
    else if (spin->location_count == LOCATIONS)
        spin->overflow = true;
    else
        set_location(&spin->locations[spin->location_count++], address, value, size);
}

static void read_first(struct polled *polled, const void *address, uint32_t size) {
    if (polled->size != 0 || size > sizeof polled->value) {
        polled->more = true;
        return;
    }
    polled->address = (uint64_t)address;
    polled->size = (uint8_t)size; /* at most the size of the value */
    bytes_copy(&polled->value, address, size);
}

/* A value that is larger than a location makes several of them. */
static void read_parts(struct task *task, const char *address, uint32_t size) {
    enum { PART = sizeof((struct location *)NULL)->value };
    for (uint32_t at = 0; at < size && at < LOCATIONS * PART; at += PART)
        spin_read(task, address + at, size - at < PART ? size - at : PART);
}

void spin_read(struct task *task, const void *address, uint32_t size) {
    if (!has_polled(task))
        return;
    if (__builtin_expect(size > sizeof task->polling.spin->locations->value, 0)) {
        read_parts(task, address, size);
        return;
    }
    if (!is_current(task))
        read_first(&task->polling.first, address, size);
    else
        add_location(task, (uint64_t)address, address, size);
}

/* The task has read these bytes since its last effect. */
static bool has_read_own(const struct task *task, uint64_t address, uint32_t size) {
    const struct polled *polled = &task->polling.first;
    const struct spin *spin = task->polling.spin;
    if (polled->size > 0 && overlaps(address, size, polled->address, polled->size))
        return true;
    for (uint32_t i = 0; is_current(task) && i < spin->own_count; i++)
        if (overlaps(address, size, spin->own[i].address, spin->own[i].size))
            return true;
    return false;
}

void spin_disturbed(const struct task *by, uint64_t address, uint32_t size) {
    struct task *task = task_at((address - SLOT_BASE) / SLOT_SIZE);
    if (task != by && task->state == TASK_LIVE && has_polled(task) && !spin_parked(task) &&
        has_read_own(task, address, size))
        task->effects++;
}

static bool unchanged(const struct location *location) {
    return memcmp((const void *)location->address, location->value, location->size) == 0;
}

/* The location is in a frame that was left since. */
static bool gone(const struct task *task, const struct location *own) {
    return own->address < task->calls.frame;
}

static bool changed_since(const struct task *task) {
    const struct spin *spin = task->polling.spin;
    for (uint32_t i = spin->first; i < spin->location_count; i++)
        if (!unchanged(&spin->locations[i]))
            return true;
    for (uint32_t i = 0; i < spin->own_count; i++)
        if (!gone(task, &spin->own[i]) && !unchanged(&spin->own[i]))
            return true;
    return false;
}

static const struct wait_ops spin_wait = {.ready = changed_since};

/* Hashes the program's frames, the return address and, below it, the registers that a call
 * preserves (see CALLER in interpose.h). Our own frames lie below. They are left out, since
 * their content depends on the search. */
static uint64_t hash_state(const struct task *task, uint64_t limit) {
    enum { REGISTERS = 6 * 8, RETURN_ADDRESS = 8 };
    uint64_t low = task->calls.frame - RETURN_ADDRESS - REGISTERS;
    uint64_t size = slot_stack_top(task->id) - low;
    if (size > limit)
        return 0;
    return XXH3_64bits((const void *)low, size) | 1;
}

uint64_t spin_digest(const struct task *task) {
    return hash_state(task, STACK_HASHED);
}

/* The place where an operation polls: the program's call, and the number of the operation within
 * that call. A copy makes one operation for each of its parts, and a comparison those of both
 * sides. None of these is another round of a loop. */
static uint64_t place_of(const struct task *task, const struct op *op) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    return op->pc + task->calls.parts * odd;
}

/* The latest visit of that place with that hash. */
static const struct visit *find_visit(const struct spin *spin, uint64_t place, uint64_t hash) {
    for (uint32_t i = spin->visit_count; i > 0; i--) {
        const struct visit *visit = &spin->visits[i - 1];
        if (visit->place == place && visit->hash == hash)
            return visit;
    }
    return NULL;
}

/* From now on there is one visit instead of many, for `count` operations. */
static void begin_alone(struct spin *spin, uint32_t count) {
    forget(spin, spin->effects);
    spin->alone = count;
}

static void add_visit(struct spin *spin, uint64_t place, uint64_t hash, uint32_t number) {
    if (spin->alone > 0 && spin->visit_count > 0 && ++spin->since < spin->alone)
        return;
    if (spin->visit_count == VISITS || spin->since > 0)
        begin_alone(spin, spin->alone > 0 ? 2 * spin->alone : 2 * VISITS);
    spin->visits[spin->visit_count++] = (struct visit){place, hash, spin->location_count, number};
}

static void forget_hashes(struct spin *spin) {
    for (uint32_t i = 0; i < spin->visit_count; i++)
        spin->visits[i].hash = 0;
}

/* The first polling operation since the last effect is noted in the task itself, because mostly
 * no other one follows. */
static void poll_first(struct task *task, uint64_t place) {
    task->polling.first = (struct polled){.place = place,
                                          .effects = task->effects,
                                          .hash = hash_state(task, STACK_HASHED_FIRST),
                                          .number = task->polling.operations};
}

static struct spin *spin_of(struct task *task) {
    const struct polled *polled = &task->polling.first;
    struct spin *spin = task->polling.spin;
    if (is_current(task))
        return spin;
    if (spin == NULL)
        task->polling.spin = spin = scratch_room(sizeof *spin);
    forget(spin, task->effects);
    add_visit(spin, polled->place, polled->more ? 0 : polled->hash, polled->number);
    if (polled->size > 0)
        add_location(task, polled->address, &polled->value, polled->size);
    return spin;
}

/* Some frames of the last visit are gone. */
static bool has_returned(struct task *task) {
    bool returned = task->polling.depth_low < task->polling.depth;
    task->polling.depth_low = task->polling.depth = task->calls.depth;
    return returned;
}

/* A round is closed. The task can only wait for a change of what it has read. */
static bool parks(struct task *task, struct spin *spin, const struct visit *before) {
    for (uint32_t i = 0; i < spin->own_count; i++)
        if (!gone(task, &spin->own[i]))
            bytes_copy(spin->own[i].value, (const void *)spin->own[i].address, spin->own[i].size);
    spin->first = before->location;
    spin->round = task->polling.operations - before->number;
    return !changed_since(task);
}

const struct wait_ops *spin_visit(struct task *task, const struct op *op) {
    if (!plain_accesses.instrumented)
        return NULL;
    bool returned = has_returned(task);
    uint64_t place = place_of(task, op);
    if (!has_polled(task)) {
        poll_first(task, place);
        return NULL;
    }
    struct spin *spin = spin_of(task);
    if (spin->overflow)
        return NULL;
    if (returned && !task->polling.first.suspect)
        forget_hashes(spin);
    uint64_t hash = hash_state(task, STACK_HASHED);
    const struct visit *before = hash != 0 ? find_visit(spin, place, hash) : NULL;
    if (before != NULL && parks(task, spin, before))
        return &spin_wait;
    if (before != NULL) { /* the next round begins here */
        forget(spin, task->effects);
    } else if (!task->polling.first.suspect &&
               find_visit(spin, place, 0) !=
                   NULL) { /* it may be a round: the old hashes cannot tell */
        task->polling.first.suspect = true;
        forget(spin, task->effects);
    }
    add_visit(spin, place, hash, task->polling.operations);
    return NULL;
}

bool spin_idle(const struct task *task) {
    return spin_parked(task) && task->polling.spin->round == 1;
}

/* Clears the memory below our stack pointer. No frame of the program stands there. */
__attribute__((noinline)) void spin_wipe(void) {
    uint64_t count = WIPED / 8;
    char *low;
    __asm__ volatile("lea %c2(%%rsp), %0\n\trep stosq"
                     : "=&D"(low), "+c"(count)
                     : "i"(-WIPED), "a"(0)
                     : "memory");
}

/* Adds the address and the value. The version of one of our own objects changes with every use,
 * so it counts only whether the version has changed. */
static void add_location_to(struct fingerprint *out, const struct location *location) {
    uint64_t object = object_behind(location->address - offsetof(struct object, version));
    if (object != 0) {
        fingerprint_add_number(out, object);
        fingerprint_add_number(out, unchanged(location));
    } else {
        fingerprint_add_number(out, location->address);
        fingerprint_add(out, location->value, location->size);
    }
}

/* Adds what decides whether the task will be parked, and when it goes on. Without this the
 * second round of a loop would look like the first, and an endless loop would not be seen. */
void spin_fingerprint(const struct task *task, struct fingerprint *out) {
    const struct polled *polled = &task->polling.first;
    const struct spin *spin = task->polling.spin;
    if (!has_polled(task))
        return;
    fingerprint_add_number(out, polled->place);
    fingerprint_add_number(out, task->polling.first.suspect |
                                    (task->polling.depth_low < task->polling.depth) << 1);
    if (!is_current(task)) {
        struct location first = {.address = polled->address, .size = polled->size};
        bytes_copy(first.value, &polled->value, sizeof polled->value);
        add_location_to(out, &first);
        fingerprint_add_number(out, polled->more);
        return;
    }
    for (uint32_t i = 0; i < spin->visit_count; i++) {
        fingerprint_add_number(out, spin->visits[i].place);
        fingerprint_add_number(out, spin->visits[i].location << 1 | (spin->visits[i].hash != 0));
    }
    for (uint32_t i = 0; i < spin->location_count; i++)
        add_location_to(out, &spin->locations[i]);
    for (uint32_t i = 0; i < spin->own_count; i++)
        fingerprint_add_number(out, spin->own[i].address);
    fingerprint_add_number(out, (uint64_t)spin->alone << 32 | spin->since);
    fingerprint_add_number(out, spin->overflow);
    if (spin_parked(task))
        fingerprint_add_number(out, (uint64_t)spin->first << 32 | spin->round);
}

bool spin_parked(const struct task *task) {
    return task->wait == &spin_wait;
}

void spin_woken(struct task *task) {
    forget(task->polling.spin, task->effects);
}
