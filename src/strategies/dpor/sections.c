/* sections.c - see sections.h. */
#include "strategies/dpor/sections.h"

#include <string.h>

#include "event/event.h"

/* More often, and a section depends on everything. Growing costs a search. */
enum { GROWN_MAX = 4 };

void sections_init(struct sections *sections, struct pool *pool) {
    *sections = (struct sections){.pool = pool};
    hash_table_init(&sections->digests, pool);
}

void sections_begin(struct sections *sections) {
    gathering_begin(&sections->gathering);
}

void sections_access(struct sections *sections, uint64_t address, uint32_t size, bool write) {
    gathering_access(&sections->gathering, address, size, write);
}

/* --- the sections of the program ------------------------------------------------------------ */

/* Returns the section, which is new if it has no footprint and does not depend on everything. */
static struct section *section_of(struct sections *sections, const struct event *begin,
                                  uint32_t number) {
    uint64_t digest = hash_mix(begin->op.pc, (uint64_t)begin->task << 32 | number);
    const struct hash_slot *slot = hash_table_find(&sections->digests, digest);
    for (; slot != NULL; slot = hash_table_next(&sections->digests, slot)) {
        struct section *section = sections->list[slot->value];
        if (section->pc == begin->op.pc && section->task == begin->task &&
            section->number == number)
            return section;
    }
    sections->list = pool_grow(sections->pool, sections->list, &sections->capacity,
                               (size_t)sections->count + 1, sizeof(struct section *));
    hash_table_add(&sections->digests, digest, sections->count);
    struct section *section = pool_alloc(sections->pool, sizeof *section);
    *section = (struct section){.pc = begin->op.pc, .task = begin->task, .number = number};
    return sections->list[sections->count++] = section;
}

/* --- growing -------------------------------------------------------------------------------- */

static void free_footprint(struct pool *pool, struct footprint *footprint) {
    uint32_t spans = footprint->read_count + footprint->written_count;
    pool_free(pool, footprint->spans, spans * sizeof *footprint->spans);
    pool_free(pool, footprint->granules, footprint->granule_count * sizeof *footprint->granules);
    *footprint = (struct footprint){0};
}

static void copy_spans(struct span *to, const struct spans *spans) {
    if (spans->count > 0)
        memcpy(to, spans->at, spans->count * sizeof *to);
}

static void set_footprint(struct pool *pool, struct footprint *footprint,
                          const struct gathering *gathering) {
    const struct spans *read = &gathering->read, *written = &gathering->written;
    uint64_t granules[FOOTPRINT_GRANULES];
    uint32_t count = gathering_granules(gathering, granules);
    free_footprint(pool, footprint);
    if (count == 0)
        return;
    footprint->read_count = read->count;
    footprint->written_count = written->count;
    footprint->granule_count = count;
    footprint->spans = pool_alloc(pool, (read->count + written->count) * sizeof(struct span));
    footprint->granules = pool_alloc(pool, count * sizeof *granules);
    copy_spans(footprint->spans, read);
    copy_spans(footprint->spans + read->count, written);
    memcpy(footprint->granules, granules, count * sizeof *granules);
}

static bool are_spans(const struct span *kept, uint32_t count, const struct spans *spans) {
    return count == spans->count &&
           (count == 0 || memcmp(kept, spans->at, count * sizeof *kept) == 0);
}

static bool is_footprint(const struct footprint *kept, const struct gathering *gathering) {
    return are_spans(kept->spans, kept->read_count, &gathering->read) &&
           are_spans(kept->spans + kept->read_count, kept->written_count, &gathering->written);
}

/* Adds what the section has touched before to what it has touched now. */
static void add_footprint(struct gathering *gathering, const struct footprint *footprint) {
    for (uint32_t i = 0; i < footprint->read_count + footprint->written_count; i++) {
        const struct span *span = &footprint->spans[i];
        gathering_access(gathering, span->first, span->end - span->first,
                         i >= footprint->read_count);
    }
}

static void grow(struct sections *sections, struct section *section) {
    struct gathering *gathering = &sections->gathering;
    bool fresh = section->footprint.granule_count == 0;
    add_footprint(gathering, &section->footprint);
    if (gathering_is_known(gathering) && is_footprint(&section->footprint, gathering))
        return;
    sections->grown |= !fresh;
    section->grown += !fresh;
    section->everything = !gathering_is_known(gathering) || section->grown > GROWN_MAX;
    gathering->unknown |= section->everything;
    set_footprint(sections->pool, &section->footprint, gathering);
}

const struct footprint *sections_end(struct sections *sections, const struct execution *execution,
                                     uint32_t event_first, uint32_t number) {
    if (sections->unknown)
        return NULL;
    while (execution->events[event_first].flags & EVENT_NOTE)
        event_first++;
    for (uint32_t i = event_first; i < execution->event_count; i++)
        if (!(execution->events[i].flags & EVENT_NOTE))
            gathering_event(&sections->gathering, &execution->events[i]);
    struct section *section = section_of(sections, &execution->events[event_first], number);
    if (!section->everything)
        grow(sections, section);
    return &section->footprint;
}
