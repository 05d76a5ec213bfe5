/* sections.c - see sections.h. */
#include "strategies/dpor/sections.h"

#include <string.h>

#include "event/event.h"

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

/* --- footprints that are kept --------------------------------------------------------------- */

static uint64_t digest_spans(uint64_t digest, const struct spans *spans) {
    digest = hash_mix(digest, spans->count);
    for (uint32_t i = 0; i < spans->count; i++)
        digest = hash_mix(hash_mix(digest, spans->at[i].first), spans->at[i].end);
    return digest;
}

static bool are_spans(const struct span *kept, uint32_t count, const struct spans *spans) {
    return count == spans->count &&
           (count == 0 || memcmp(kept, spans->at, count * sizeof *kept) == 0);
}

static bool is_footprint(const struct footprint *kept, const struct gathering *gathering) {
    return are_spans(kept->spans, kept->read_count, &gathering->read) &&
           are_spans(kept->spans + kept->read_count, kept->written_count, &gathering->written);
}

static void copy_spans(struct span *to, const struct spans *spans) {
    if (spans->count > 0)
        memcpy(to, spans->at, spans->count * sizeof *to);
}

static struct footprint *footprint_new(struct pool *pool, const struct gathering *gathering,
                                       const uint64_t *granules, uint32_t count) {
    const struct spans *read = &gathering->read, *written = &gathering->written;
    struct footprint *footprint = pool_alloc(pool, sizeof *footprint);
    *footprint = (struct footprint){
        .read_count = read->count,
        .written_count = written->count,
        .granule_count = count,
        .spans = pool_alloc(pool, (read->count + written->count) * sizeof *footprint->spans),
        .granules = pool_alloc(pool, count * sizeof *footprint->granules),
    };
    copy_spans(footprint->spans, read);
    copy_spans(footprint->spans + read->count, written);
    memcpy(footprint->granules, granules, count * sizeof *granules);
    return footprint;
}

/* Returns the footprint that is kept for what was gathered. */
static const struct footprint *keep(struct sections *sections) {
    const struct gathering *gathering = &sections->gathering;
    uint64_t granules[FOOTPRINT_GRANULES];
    uint64_t digest = digest_spans(digest_spans(0, &gathering->read), &gathering->written);
    const struct hash_slot *slot = hash_table_find(&sections->digests, digest);
    while (slot != NULL && !is_footprint(sections->kept[slot->value], gathering))
        slot = hash_table_next(&sections->digests, slot);
    if (slot != NULL)
        return sections->kept[slot->value];
    uint32_t count = gathering_granules(gathering, granules);
    if (count == 0)
        return NULL;
    sections->kept = pool_grow(sections->pool, sections->kept, &sections->capacity,
                               (size_t)sections->count + 1, sizeof(struct footprint *));
    hash_table_add(&sections->digests, digest, sections->count);
    return sections->kept[sections->count++] =
               footprint_new(sections->pool, gathering, granules, count);
}

const struct footprint *sections_end(struct sections *sections, const struct execution *execution,
                                     uint32_t event_first) {
    if (sections->unknown)
        return NULL;
    for (uint32_t i = event_first; i < execution->event_count; i++)
        if (!(execution->events[i].flags & EVENT_NOTE))
            gathering_event(&sections->gathering, &execution->events[i]);
    return sections->gathering.unknown ? NULL : keep(sections);
}
