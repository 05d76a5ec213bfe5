/* race_shadow.h - the accesses with which a later access can still race.
 *
 * The shadow is exact to the byte. Each granule of 8 bytes of the program's memory has two lists of
 * records. A record of a plain access is removed by a later access that it happens before, if that
 * access covers its bytes and conflicts with everything with which it conflicts. For atomic
 * operations, each task has one record for its last read and one for its last write of these bytes.
 * Nothing else is forgotten, so the first access that races with any earlier one is noticed. After
 * a race in a granule, further races between the same two tasks in this granule may be missed. When
 * an execution begins, everything is forgotten at once, because each granule has the number of its
 * execution. */
#ifndef ANALYSES_RACE_SHADOW_H
#define ANALYSES_RACE_SHADOW_H

#include "base/hash_table.h"
#include "event/clock.h"

enum access_kind {
    ACCESS_WRITE = 1,
    ACCESS_PLAIN = 2,     /* may race with atomic operations, too */
    ACCESS_ATOMIC = 4,    /* an atomic operation; not PLAIN */
    ACCESS_SECTION = 8,   /* a plain access in an atomic section; not PLAIN either */
    ACCESS_VOLATILE = 16, /* only for reports */
    /* an atomic write; its value has been replaced by atomic operations only */
    ACCESS_RELEASED = 32,
    ACCESS_FREE = 64, /* a write that frees the memory; only for reports */
    /* races of the access count; not set if annotations of the program ask to ignore them */
    ACCESS_CHECKED = 128,
};

struct shadow_record {
    uint64_t pc;
    uint64_t granule; /* address / 8 */
    uint32_t clock;   /* the component of the task in its own clock */
    uint32_t size;    /* of the whole access */
    uint32_t stack;   /* race_stacks.h; 0: not recorded */
    uint32_t next;    /* the next record of the granule; 0: none */
    uint16_t task;
    uint8_t mask; /* the bytes of the granule, one bit each */
    uint8_t kind; /* enum access_kind */
};

enum {
    SHADOW_PAGE = 4096,
    SHADOW_GRANULES = SHADOW_PAGE / 8,
    SHADOW_CACHE = 256,
    SHADOW_ATOMIC_CACHE = 1024,
};

struct shadow_granule {
    uint32_t generation;
    uint32_t plain;  /* the first record of the list of plain accesses */
    uint32_t atomic; /* the first record of the list of atomic operations */
};

struct shadow_page {
    uint64_t number; /* address / SHADOW_PAGE + 1; 0: none */
    struct shadow_granule *granules;
};

struct shadow {
    struct shadow_page cache[SHADOW_CACHE];     /* direct-mapped */
    uint32_t atomic_cache[SHADOW_ATOMIC_CACHE]; /* records, by granule, task and kind */
    struct pool *pool;                          /* borrowed */
    struct shadow_granule **pages;              /* all that there ever were */
    struct hash_table page_numbers;             /* places in `pages`, by the number of the page */
    uint32_t page_count, page_capacity;
    struct shadow_record *records; /* the first one is not used */
    uint32_t record_count, record_capacity;
    uint32_t free_records; /* a list */
    uint64_t *touched;     /* addresses of the granules of this generation */
    uint32_t touched_count, touched_capacity;
    uint32_t generation;
};

/* An access, and the result of looking it up. */
struct shadow_access {
    uint64_t address;
    struct shadow_record record;  /* without granule, mask and next */
    const struct clock *clock;    /* of the task */
    bool raced;                   /* the access races with `earlier` */
    struct shadow_record earlier; /* the first record that was found to race */
    bool annotated;        /* the access also races with one that annotations ask to ignore */
    bool overwrote_atomic; /* the access is a plain write over an atomic one */
};

void shadow_init(struct shadow *shadow, struct pool *pool);
void shadow_begin(struct shadow *shadow); /* a new execution */
void shadow_write(struct shadow *shadow, struct image *image);
void shadow_read(struct shadow *shadow, struct image *image);

/* Two functions: for accesses that are not atomic operations, and for atomic operations. */
void shadow_access(struct shadow *shadow, struct shadow_access *access);
void shadow_atomic(struct shadow *shadow, struct shadow_access *access);

struct shadow_granule *shadow_find_page(struct shadow *shadow, uint64_t number);

/* The stacks of tasks are far apart, at round addresses. So the low bits of a page's number are not
 * enough. */
static inline uint32_t shadow_cache_slot(uint64_t number) {
    return (uint32_t)((number * 0x9e3779b97f4a7c15u) >> 56) % SHADOW_CACHE;
}

static inline struct shadow_granule *shadow_granule(struct shadow *shadow, uint64_t address) {
    uint64_t number = address / SHADOW_PAGE + 1;
    const struct shadow_page *cached = &shadow->cache[shadow_cache_slot(number)];
    struct shadow_granule *page = __builtin_expect(cached->number == number, 1)
                                      ? cached->granules
                                      : shadow_find_page(shadow, number);
    return &page[address / 8 % SHADOW_GRANULES];
}

static inline uint8_t shadow_mask(uint64_t address, uint32_t size) {
    return (uint8_t)(((1u << size) - 1) << (address % 8));
}

/* Two kinds conflict unless both read or neither is plain. */
static inline bool access_conflict(uint8_t a, uint8_t b) {
    return ((a | b) & (ACCESS_WRITE | ACCESS_PLAIN)) == (ACCESS_WRITE | ACCESS_PLAIN);
}

/* Every kind that conflicts with `other` also conflicts with `kind`. */
static inline bool access_covers(uint8_t kind, uint8_t other) {
    return (other & ~kind & (ACCESS_WRITE | ACCESS_PLAIN | ACCESS_CHECKED)) == 0;
}

static inline bool shadow_record_covers(const struct shadow_record *record, uint32_t task,
                                        uint32_t clock, uint8_t mask, uint8_t kind) {
    return record->task == task && record->clock == clock && (mask & ~record->mask) == 0 &&
           access_covers(record->kind, kind);
}

/* The fast path for accesses that are not atomic operations. Returns true if the newest record is
 * the same. */
static inline bool shadow_known(struct shadow *shadow, uint64_t address, uint32_t size,
                                uint32_t task, uint32_t clock, uint8_t kind) {
    if (size > 8 || address % 8 + size > 8)
        return false;
    const struct shadow_granule *granule = shadow_granule(shadow, address);
    return granule->generation == shadow->generation && granule->atomic == 0 &&
           shadow_record_covers(&shadow->records[granule->plain], task, clock,
                                shadow_mask(address, size), kind);
}

static inline uint32_t *shadow_atomic_slot(struct shadow *shadow, uint64_t granule, uint32_t task,
                                           uint8_t kind) {
    uint64_t hash = granule * 32 + task * 2u + (kind & ACCESS_WRITE);
    return &shadow->atomic_cache[hash % SHADOW_ATOMIC_CACHE];
}

static inline bool shadow_own_atomic(const struct shadow_record *record, uint64_t granule,
                                     uint32_t task, uint8_t mask, uint8_t kind) {
    return record->granule == granule && record->task == task && record->mask == mask &&
           ((record->kind ^ kind) & ~ACCESS_RELEASED) == 0;
}

/* The fast path for atomic operations. Returns true if there is no plain access to compare with,
 * and the task's record could be renewed. */
static inline bool shadow_renew_atomic(struct shadow *shadow, uint64_t address, uint32_t size,
                                       uint32_t task, uint32_t clock, uint8_t kind, uint64_t pc) {
    if (size > 8 || address % 8 + size > 8)
        return false;
    const struct shadow_granule *granule = shadow_granule(shadow, address);
    if (granule->generation != shadow->generation || granule->plain != 0)
        return false;
    uint32_t index = *shadow_atomic_slot(shadow, address / 8, task, kind);
    if (index >= shadow->record_count)
        return false;
    struct shadow_record *record = &shadow->records[index];
    if (!shadow_own_atomic(record, address / 8, task, shadow_mask(address, size), kind))
        return false;
    record->clock = clock;
    record->pc = pc;
    record->kind = kind;
    return true;
}

#endif
