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
 * hold depends on the search, and would decide here. While the frames of a visit stay, so do those slots:
 * the next visit can be compared with it. Once a function has returned it cannot; a task that then comes
 * round to the place of such a visit is suspect: from then on our stack is wiped whenever we return to it,
 * and only visits since then are compared.
 *
 * What it reads of its own stack (a volatile counter that makes a pause longer) is changed by itself, and the
 * frames tell: of such a location only what others do to it counts. If they write there on the way, that was
 * no iteration of its own (spin_disturbed); when it waits, a change wakes it as any other.
 *
 * Iterations of more operations than visits can be kept are found by comparing with one visit only, for twice as
 * long each time.
 *
 * A program that is not instrumented at all is never parked: what it reads and writes is not known.
 * Left out: the same for a library that is not, in a program that is. */
#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "substrates/native/runtime.h"

enum {
    VISITS = 16,
    LOCATIONS = 32,
    OWN_LOCATIONS = 8,
    STACK_HASHED = 16 << 10,
    STACK_HASHED_FIRST = 1 << 10, /* of the first visit, which mostly stays the only one */
    WIPED = 4 << 10,
};

struct visit {
    uint64_t place, hash; /* hash 0: not to be compared */
    uint32_t location;    /* how many locations there were before it */
    uint32_t number;      /* of the operation */
};

struct location {
    uint64_t address;
    uint32_t size;
    unsigned char value[16];
};

struct spin {
    uint64_t effects; /* task->effects for which all of this holds */
    uint32_t visit_count, location_count;
    uint32_t own_count;
    uint32_t first; /* parked: the iteration's first location, */
    uint32_t round; /* and how many operations it had */
    uint32_t alone; /* so many operations are compared with the only visit, 0: all are visits; */
    uint32_t since; /* and so many were */
    bool overflow;  /* too many to remember: no parking until the next effect */
    struct visit visits[VISITS];
    struct location locations[LOCATIONS];
    struct location own[OWN_LOCATIONS]; /* on its own stack, each once */
};

static void forget(struct spin *spin, uint64_t effects) {
    spin->effects = effects;
    spin->visit_count = spin->location_count = spin->own_count = 0;
    spin->alone = spin->since = 0;
    spin->overflow = false;
}

/* There has been a poll since the task's last effect. */
static bool has_polled(const struct task *task) {
    return task->polled.place != 0 && task->polled.effects == task->effects;
}

static bool is_current(const struct task *task) {
    return task->spin != NULL && task->spin->effects == task->effects;
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

/* Of an array that is read through, a location has several elements: what was read since the last visit. */
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
    struct spin *spin = task->spin;
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
    polled->size = (uint8_t)size; /* that of the value, at most */
    bytes_copy(&polled->value, address, size);
}

/* A value that is larger than a location is several of them. */
static void read_parts(struct task *task, const char *address, uint32_t size) {
    enum { PART = sizeof((struct location *)NULL)->value };
    for (uint32_t at = 0; at < size && at < LOCATIONS * PART; at += PART)
        spin_read(task, address + at, size - at < PART ? size - at : PART);
}

void spin_read(struct task *task, const void *address, uint32_t size) {
    if (!has_polled(task))
        return;
    if (__builtin_expect(size > sizeof task->spin->locations->value, 0)) {
        read_parts(task, address, size);
        return;
    }
    if (!is_current(task))
        read_first(&task->polled, address, size);
    else
        add_location(task, (uint64_t)address, address, size);
}

/* It has read these bytes since its last effect. */
static bool has_read_own(const struct task *task, uint64_t address, uint32_t size) {
    const struct polled *polled = &task->polled;
    const struct spin *spin = task->spin;
    if (polled->size > 0 && overlaps(address, size, polled->address, polled->size))
        return true;
    for (uint32_t i = 0; is_current(task) && i < spin->own_count; i++)
        if (overlaps(address, size, spin->own[i].address, spin->own[i].size))
            return true;
    return false;
}

void spin_disturbed(const struct task *by, uint64_t address, uint32_t size) {
    struct task *task = &rt.tasks[(address - SLOT_BASE) / SLOT_SIZE];
    if (task != by && task->state == TASK_LIVE && has_polled(task) && !spin_parked(task) &&
        has_read_own(task, address, size))
        task->effects++;
}

static bool unchanged(const struct location *location) {
    return memcmp((const void *)location->address, location->value, location->size) == 0;
}

/* In a frame that was left since. */
static bool gone(const struct task *task, const struct location *own) {
    return own->address < task->frame;
}

static bool changed_since(const struct task *task) {
    const struct spin *spin = task->spin;
    for (uint32_t i = spin->first; i < spin->location_count; i++)
        if (!unchanged(&spin->locations[i]))
            return true;
    for (uint32_t i = 0; i < spin->own_count; i++)
        if (!gone(task, &spin->own[i]) && !unchanged(&spin->own[i]))
            return true;
    return false;
}

static const struct wait_ops spin_wait = {.ready = changed_since};

/* The program's frames, the address to which it returns, and below that the registers that a call
 * preserves (see CALLER). Our own frames, which lie below, are left out: what they hold depends on the
 * search. */
static uint64_t hash_state(const struct task *task, uint64_t limit) {
    enum { REGISTERS = 6 * 8, RETURN_ADDRESS = 8 };
    uint64_t low = task->frame - RETURN_ADDRESS - REGISTERS;
    uint64_t size = slot_stack_top(task->id) - low;
    if (size > limit)
        return 0;
    return XXH3_64bits((const void *)low, size) | 1;
}

/* Where an operation polls: the program's call, and the how many-th operation of that call it is. A copy has as
 * many as it has parts, a comparison those of both sides; none of them is another round of a loop. */
static uint64_t place_of(const struct task *task, const struct op *op) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    return op->pc + task->parts * odd;
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

/* Instead of many visits there is one from now on, for that many operations. */
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

/* The first operation since its last effect that polls is noted in the task itself: mostly no other one
 * follows. */
static void poll_first(struct task *task, uint64_t place) {
    task->polled = (struct polled){.place = place,
                                   .effects = task->effects,
                                   .hash = hash_state(task, STACK_HASHED_FIRST),
                                   .number = task->operations};
}

static struct spin *spin_of(struct task *task) {
    const struct polled *polled = &task->polled;
    struct spin *spin = task->spin;
    if (is_current(task))
        return spin;
    if (spin == NULL)
        task->spin = spin = scratch_room(sizeof *spin);
    forget(spin, task->effects);
    add_visit(spin, polled->place, polled->more ? 0 : polled->hash, polled->number);
    if (polled->size > 0)
        add_location(task, polled->address, &polled->value, polled->size);
    return spin;
}

/* The frames of the last visit are not all there any more. */
static bool has_returned(struct task *task) {
    bool returned = task->depth_low < task->depth_polled;
    task->depth_low = task->depth_polled = task->depth;
    return returned;
}

/* An iteration is closed: what it read is all that it can wait for. */
static bool parks(struct task *task, struct spin *spin, const struct visit *before) {
    for (uint32_t i = 0; i < spin->own_count; i++)
        if (!gone(task, &spin->own[i]))
            bytes_copy(spin->own[i].value, (const void *)spin->own[i].address, spin->own[i].size);
    spin->first = before->location;
    spin->round = task->operations - before->number;
    return !changed_since(task);
}

const struct wait_ops *spin_visit(struct task *task, const struct op *op) {
    if (!rt.instrumented)
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
    if (returned && !task->polled.suspect)
        forget_hashes(spin);
    uint64_t hash = hash_state(task, STACK_HASHED);
    const struct visit *before = hash != 0 ? find_visit(spin, place, hash) : NULL;
    if (before != NULL && parks(task, spin, before))
        return &spin_wait;
    if (before != NULL) { /* the next iteration begins here */
        forget(spin, task->effects);
    } else if (!task->polled.suspect && find_visit(spin, place, 0) != NULL) { /* who knows */
        task->polled.suspect = true;
        forget(spin, task->effects);
    }
    add_visit(spin, place, hash, task->operations);
    return NULL;
}

bool spin_idle(const struct task *task) {
    return spin_parked(task) && task->spin->round == 1;
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

/* Where, and of which value; our own counters change with every use, so of them only if they did. */
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

/* What decides whether it will be parked, and when it goes on. Without this the second round of a loop
 * would look like the first, and nobody would see that it never ends. */
void spin_fingerprint(const struct task *task, struct fingerprint *out) {
    const struct polled *polled = &task->polled;
    const struct spin *spin = task->spin;
    if (!has_polled(task))
        return;
    fingerprint_add_number(out, polled->place);
    fingerprint_add_number(out, task->polled.suspect | (task->depth_low < task->depth_polled) << 1);
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
    forget(task->spin, task->effects);
}
