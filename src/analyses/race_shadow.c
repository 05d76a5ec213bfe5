/* race_shadow.c - see race_shadow.h.
 *
 * Memory stays for the next execution: pages for ever, records as many as the largest execution had.
 * A page of shadow is as large as the page it describes. */
#include "analyses/race_shadow.h"

#include <string.h>

#include "base/check.h"

enum { FIRST_PAGES = 64 };

void shadow_init(struct shadow *shadow, struct pool *pool) {
    memset(shadow, 0, sizeof *shadow);
    shadow->pool = pool;
    shadow->page_capacity = FIRST_PAGES;
    shadow->pages = pool_alloc(pool, FIRST_PAGES * sizeof *shadow->pages);
    shadow->record_count = 1;
}

/* Generations have come round after 2^32 executions: forget them the slow way, once. */
static void clear_pages(struct shadow *shadow) {
    for (uint32_t i = 0; i < shadow->page_capacity; i++)
        if (shadow->pages[i].number != 0)
            memset(shadow->pages[i].granules, 0,
                   SHADOW_GRANULES * sizeof *shadow->pages[i].granules);
    shadow->generation = 1;
}

void shadow_begin(struct shadow *shadow) {
    shadow->record_count = 1;
    shadow->free_records = 0;
    if (++shadow->generation == 0)
        clear_pages(shadow);
}

/* --- pages ---------------------------------------------------------------------------------- */

static struct shadow_page *page_slot(struct shadow *shadow, uint64_t number) {
    uint32_t mask = shadow->page_capacity - 1;
    uint32_t i = (uint32_t)((number * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (shadow->pages[i].number != 0 && shadow->pages[i].number != number)
        i = (i + 1) & mask;
    return &shadow->pages[i];
}

static void grow_pages(struct shadow *shadow) {
    struct shadow_page *old = shadow->pages;
    uint32_t old_capacity = shadow->page_capacity;
    shadow->page_capacity *= 2;
    shadow->pages = pool_alloc(shadow->pool, shadow->page_capacity * sizeof *old);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].number != 0)
            *page_slot(shadow, old[i].number) = old[i];
    pool_free(shadow->pool, old, old_capacity * sizeof *old);
}

struct shadow_granule *shadow_find_page(struct shadow *shadow, uint64_t number) {
    struct shadow_page *page = page_slot(shadow, number);
    if (page->number == 0) {
        if (shadow->page_count++ * 2 >= shadow->page_capacity)
            grow_pages(shadow);
        page = page_slot(shadow, number);
        page->number = number;
        page->granules = pool_alloc(shadow->pool, SHADOW_GRANULES * sizeof *page->granules);
    }
    shadow->cache[number % SHADOW_CACHE] = *page;
    return page->granules;
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

static void push_record(struct shadow *shadow, struct shadow_granule *granule,
                        const struct shadow_record *record, uint8_t mask) {
    uint32_t index = new_record(shadow);
    struct shadow_record *fresh = &shadow->records[index];
    *fresh = *record;
    fresh->mask = mask;
    fresh->next = granule->first;
    granule->first = index;
}

/* The newest record is the one that the fast path looks at. */
static void move_to_front(struct shadow *shadow, struct shadow_granule *granule, uint32_t index) {
    struct shadow_record *a = &shadow->records[granule->first], *b = &shadow->records[index];
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
    uint8_t kind = now->record.kind;
    if (!ordered && !now->raced && access_conflict(record->kind, kind)) {
        now->raced = true;
        now->earlier = *record;
    }
    if ((record->kind & ACCESS_ATOMIC) && (kind & ACCESS_WRITE) && !(kind & ACCESS_ATOMIC))
        now->overwrote_atomic = true;
}

static void visit_granule(struct shadow *shadow, struct shadow_granule *granule, uint8_t mask,
                          struct shadow_access *now) {
    uint32_t known = 0;
    if (granule->generation != shadow->generation)
        *granule = (struct shadow_granule){shadow->generation, 0};
    for (uint32_t *link = &granule->first; *link != 0;) {
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
        push_record(shadow, granule, &now->record, mask);
    else if (known != granule->first && !now->raced)
        move_to_front(shadow, granule, known);
}

void shadow_access(struct shadow *shadow, struct shadow_access *now) {
    uint64_t address = now->address, end = address + now->record.size;
    CHECK(now->clock != NULL);
    while (address < end) {
        uint64_t stop = (address | 7) + 1 < end ? (address | 7) + 1 : end;
        visit_granule(shadow, shadow_granule(shadow, address),
                      shadow_mask(address, (uint32_t)(stop - address)), now);
        address = stop;
    }
}
