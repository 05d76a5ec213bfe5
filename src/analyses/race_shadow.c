/* race_shadow.c - see race_shadow.h.
 *
 * The memory is kept for the next execution: all pages, and as many records as the largest
 * execution had. The shadow of a page is twice as large as the page.
 *
 * Pages are found by the common hash table. Before it stand two caches of a fixed size, in which a
 * new entry replaces an old one. Most accesses find their page or record there in a few
 * instructions. */
#include "analyses/race_shadow.h"

#include <string.h>

void shadow_init(struct shadow *shadow, struct pool *pool) {
    memset(shadow, 0, sizeof *shadow);
    shadow->pool = pool;
    hash_table_init(&shadow->page_numbers, pool);
    shadow->record_count = 1;
}

/* After 2^32 executions the generation begins again. So all pages are cleared once, which is
 * slow. */
static void clear_pages(struct shadow *shadow) {
    for (uint32_t i = 0; i < shadow->page_count; i++)
        memset(shadow->pages[i], 0, SHADOW_GRANULES * sizeof *shadow->pages[i]);
    shadow->generation = 1;
}

void shadow_begin(struct shadow *shadow) {
    shadow->record_count = 1; /* this makes all entries of atomic_cache invalid */
    shadow->free_records = shadow->touched_count = 0;
    if (++shadow->generation == 0)
        clear_pages(shadow);
}

/* --- pages ---------------------------------------------------------------------------------- */

static struct shadow_granule *new_page(struct shadow *shadow, uint64_t number) {
    struct shadow_granule *page = pool_alloc(shadow->pool, SHADOW_GRANULES * sizeof *page);
    shadow->pages = pool_grow(shadow->pool, shadow->pages, &shadow->page_capacity,
                              (size_t)shadow->page_count + 1, sizeof *shadow->pages);
    hash_table_add(&shadow->page_numbers, number, shadow->page_count);
    shadow->pages[shadow->page_count++] = page;
    return page;
}

struct shadow_granule *shadow_find_page(struct shadow *shadow, uint64_t number) {
    const struct hash_slot *slot = hash_table_find(&shadow->page_numbers, number);
    struct shadow_granule *page =
        slot != NULL ? shadow->pages[slot->value] : new_page(shadow, number);
    shadow->cache[shadow_cache_slot(number)] = (struct shadow_page){number, page};
    return page;
}

/* --- records -------------------------------------------------------------------------------- */

static uint32_t new_record(struct shadow *shadow) {
    uint32_t index = shadow->free_records;
    if (index != 0) {
        shadow->free_records = shadow->records[index].next;
        return index;
    }
    if (shadow->record_count >= shadow->record_capacity)
        shadow->records = pool_grow(shadow->pool, shadow->records, &shadow->record_capacity,
                                    (size_t)shadow->record_count + 1, sizeof *shadow->records);
    return shadow->record_count++;
}

static void drop_record(struct shadow *shadow, uint32_t *link) {
    uint32_t index = *link;
    *link = shadow->records[index].next;
    shadow->records[index].next = shadow->free_records;
    shadow->free_records = index;
}

static void push_record(struct shadow *shadow, uint32_t *list, const struct shadow_access *now,
                        uint64_t granule, uint8_t mask) {
    uint32_t index = new_record(shadow);
    struct shadow_record *fresh = &shadow->records[index];
    *fresh = now->record;
    fresh->granule = granule;
    fresh->mask = mask;
    fresh->next = *list;
    *list = index;
}

/* The fast path examines only the newest record. */
static void move_to_front(struct shadow *shadow, uint32_t first, uint32_t index) {
    struct shadow_record *a = &shadow->records[first], *b = &shadow->records[index];
    struct shadow_record was = *a;
    uint32_t next = b->next;
    *a = *b;
    a->next = was.next;
    *b = was;
    b->next = next;
}

/* --- accesses ------------------------------------------------------------------------------- */

static bool happens_before(const struct shadow_record *record, const struct shadow_access *now) {
    return record->task == now->record.task || clock_get(now->clock, record->task) >= record->clock;
}

static void compare(const struct shadow_record *record, struct shadow_access *now, bool ordered) {
    if (ordered || now->raced || !access_conflict(record->kind, now->record.kind))
        return;
    if (!(record->kind & now->record.kind & ACCESS_CHECKED)) {
        now->annotated = true;
        return;
    }
    now->raced = true;
    now->earlier = *record;
}

/* Compares the access with earlier plain accesses, removes those that it replaces, and adds it
 * unless there is such a record already. */
static void visit_plain(struct shadow *shadow, struct shadow_granule *granule, uint8_t mask,
                        struct shadow_access *now) {
    uint32_t known = 0;
    for (uint32_t *link = &granule->plain; *link != 0;) {
        struct shadow_record *record = &shadow->records[*link];
        if (record->mask & mask) {
            bool ordered = happens_before(record, now);
            compare(record, now, ordered);
            if (shadow_record_covers(record, now->record.task, now->record.clock, mask,
                                     now->record.kind))
                known = *link;
            else if (ordered && access_covers(now->record.kind, record->kind))
                record->mask &= (uint8_t)~mask;
        }
        if (record->mask == 0)
            drop_record(shadow, link);
        else
            link = &record->next;
    }
    if (known == 0)
        push_record(shadow, &granule->plain, now, 0, mask);
    else if (known != granule->plain && !now->raced)
        move_to_front(shadow, granule->plain, known);
}

/* Compares the access with earlier atomic operations. A write replaces their values. */
static void pass_atomics(struct shadow *shadow, const struct shadow_granule *granule, uint8_t mask,
                         struct shadow_access *now) {
    for (uint32_t at = granule->atomic; at != 0; at = shadow->records[at].next) {
        struct shadow_record *record = &shadow->records[at];
        if (!(record->mask & mask))
            continue;
        compare(record, now, happens_before(record, now));
        if ((now->record.kind & ACCESS_WRITE) && (record->kind & ACCESS_RELEASED)) {
            record->kind &= (uint8_t)~ACCESS_RELEASED;
            now->overwrote_atomic = true;
        }
    }
}

/* The record of this task for this kind of atomic operation on these bytes. If there is none, makes
 * one. */
static struct shadow_record *own_atomic(struct shadow *shadow, struct shadow_granule *granule,
                                        uint64_t number, uint8_t mask,
                                        const struct shadow_access *now) {
    uint32_t task = now->record.task, at = granule->atomic;
    uint8_t kind = now->record.kind;
    while (at != 0 && !shadow_own_atomic(&shadow->records[at], number, task, mask, kind))
        at = shadow->records[at].next;
    if (at == 0) {
        push_record(shadow, &granule->atomic, now, number, mask);
        at = granule->atomic;
    }
    *shadow_atomic_slot(shadow, number, task, kind) = at;
    return &shadow->records[at];
}

static void visit_atomic(struct shadow *shadow, struct shadow_granule *granule, uint64_t number,
                         uint8_t mask, struct shadow_access *now) {
    for (uint32_t at = granule->plain; at != 0; at = shadow->records[at].next) {
        const struct shadow_record *record = &shadow->records[at];
        if (record->mask & mask)
            compare(record, now, happens_before(record, now));
    }
    struct shadow_record *own = own_atomic(shadow, granule, number, mask, now);
    own->clock = now->record.clock;
    own->pc = now->record.pc;
    own->stack = now->record.stack;
    own->kind = now->record.kind;
}

static void touch(struct shadow *shadow, struct shadow_granule *granule, uint64_t address) {
    shadow->touched = pool_grow(shadow->pool, shadow->touched, &shadow->touched_capacity,
                                (size_t)shadow->touched_count + 1, sizeof *shadow->touched);
    shadow->touched[shadow->touched_count++] = address;
    *granule = (struct shadow_granule){shadow->generation, 0, 0};
}

/* Walks over the granules of an access. */
struct part {
    uint64_t address, stop;
    struct shadow_granule *granule;
    uint8_t mask;
};

static bool next_part(struct shadow *shadow, const struct shadow_access *now, struct part *part) {
    uint64_t end = now->address + now->record.size;
    part->address = part->stop;
    if (part->address >= end)
        return false;
    part->stop = (part->address | 7) + 1 < end ? (part->address | 7) + 1 : end;
    part->mask = shadow_mask(part->address, (uint32_t)(part->stop - part->address));
    part->granule = shadow_granule(shadow, part->address);
    if (part->granule->generation != shadow->generation)
        touch(shadow, part->granule, part->address & ~(uint64_t)7);
    return true;
}

void shadow_access(struct shadow *shadow, struct shadow_access *now) {
    struct part part = {.stop = now->address};
    while (next_part(shadow, now, &part)) {
        visit_plain(shadow, part.granule, part.mask, now);
        if (part.granule->atomic != 0)
            pass_atomics(shadow, part.granule, part.mask, now);
    }
}

void shadow_atomic(struct shadow *shadow, struct shadow_access *now) {
    struct part part = {.stop = now->address};
    while (next_part(shadow, now, &part))
        visit_atomic(shadow, part.granule, part.address / 8, part.mask, now);
}

/* --- saved states --------------------------------------------------------------------------- */

struct saved_granule {
    uint64_t address;
    uint32_t plain, atomic;
};

void shadow_write(struct shadow *shadow, struct image *image) {
    image_write_number(image, shadow->record_count);
    image_write_number(image, shadow->free_records);
    image_write(image, shadow->records + 1, (shadow->record_count - 1) * sizeof *shadow->records);
    image_write_number(image, shadow->touched_count);
    for (uint32_t i = 0; i < shadow->touched_count; i++) {
        const struct shadow_granule *granule = shadow_granule(shadow, shadow->touched[i]);
        struct saved_granule *saved = image_add(image, sizeof *saved);
        if (saved == NULL)
            return;
        *saved = (struct saved_granule){shadow->touched[i], granule->plain, granule->atomic};
    }
}

/* atomic_cache need not be restored: each of its entries is still true, or shadow_own_atomic()
 * refuses it. */
void shadow_read(struct shadow *shadow, struct image *image) {
    shadow_begin(shadow);
    shadow->record_count = (uint32_t)image_read_number(image);
    shadow->free_records = (uint32_t)image_read_number(image);
    image_read(image, shadow->records + 1, (shadow->record_count - 1) * sizeof *shadow->records);
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t i = 0; i < count; i++) {
        const struct saved_granule *saved = image_skip(image, sizeof *saved);
        struct shadow_granule *granule = shadow_granule(shadow, saved->address);
        touch(shadow, granule, saved->address);
        granule->plain = saved->plain;
        granule->atomic = saved->atomic;
    }
}
