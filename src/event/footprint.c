/* footprint.c - see footprint.h. */
#include "event/footprint.h"

#include <string.h>

#include "event/event.h"

/* --- gathering ------------------------------------------------------------------------------ */

void gathering_begin(struct gathering *gathering) {
    gathering->read.count = gathering->written.count = 0;
    gathering->unknown = false;
}

/* Adds a span, and joins it with those that it meets. Returns false if there is no room. */
static bool add_span(struct spans *spans, uint64_t first, uint64_t end) {
    uint32_t from = 0, to;
    while (from < spans->count && spans->at[from].end < first)
        from++;
    for (to = from; to < spans->count && spans->at[to].first <= end; to++) {
        first = spans->at[to].first < first ? spans->at[to].first : first;
        end = spans->at[to].end > end ? spans->at[to].end : end;
    }
    if (from == to && spans->count == FOOTPRINT_SPANS)
        return false;
    memmove(&spans->at[from + 1], &spans->at[to], (spans->count - to) * sizeof *spans->at);
    spans->at[from] = (struct span){first, end};
    spans->count += 1 - (to - from);
    return true;
}

void gathering_access(struct gathering *gathering, uint64_t address, uint64_t size, bool write) {
    if (!add_span(write ? &gathering->written : &gathering->read, address, address + size))
        gathering->unknown = true;
}

/* Operations that change nothing but memory, and that no other task can enable or disable. */
static bool only_accesses(enum op_subject about) {
    return about == ABOUT_ATOMIC || about == ABOUT_VOLATILE || about == ABOUT_PLAIN;
}

void gathering_event(struct gathering *gathering, const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    if (info->act == ACT_SECTION) {
        gathering->unknown |= event->op.unseen;
    } else if (only_accesses(info->about)) {
        if (info->act != ACT_WRITE)
            gathering_access(gathering, event->op.object, event->op.size, false);
        if (info->effect == EFFECT_WRITE && !(event->flags & EVENT_FAILED))
            gathering_access(gathering, event->op.object, event->op.size, true);
    } else if (info->act != ACT_FENCE) {
        gathering->unknown = true;
    }
}

bool gathering_is_known(const struct gathering *gathering) {
    uint64_t granules[FOOTPRINT_GRANULES];
    return gathering_granules(gathering, granules) > 0;
}

/* Adds the granules of the spans to a sorted list. */
static bool add_granules(const struct spans *spans, uint64_t granules[FOOTPRINT_GRANULES],
                         uint32_t *count) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < spans->count; i++)
        for (uint64_t granule = spans->at[i].first / 8; granule * 8 < spans->at[i].end; granule++) {
            while (at < *count && granules[at] < granule)
                at++;
            if (at < *count && granules[at] == granule)
                continue;
            if (*count == FOOTPRINT_GRANULES)
                return false;
            memmove(&granules[at + 1], &granules[at], (*count - at) * sizeof *granules);
            granules[at] = granule;
            ++*count;
        }
    return true;
}

uint32_t gathering_granules(const struct gathering *gathering,
                            uint64_t granules[FOOTPRINT_GRANULES]) {
    uint32_t count = 0;
    bool fits = !gathering->unknown && add_granules(&gathering->read, granules, &count) &&
                add_granules(&gathering->written, granules, &count);
    return fits ? count : 0;
}

/* --- comparing ------------------------------------------------------------------------------ */

static bool overlap(const struct span *a, uint32_t a_count, const struct span *b,
                    uint32_t b_count) {
    for (uint32_t i = 0, j = 0; i < a_count && j < b_count;) {
        if (a[i].end <= b[j].first)
            i++;
        else if (b[j].end <= a[i].first)
            j++;
        else
            return true;
    }
    return false;
}

static bool writes_into(const struct footprint *writer, const struct span *spans, uint32_t count) {
    return overlap(writer->spans + writer->read_count, writer->written_count, spans, count);
}

bool footprints_conflict(const struct footprint *a, const struct footprint *b) {
    return writes_into(a, b->spans, b->read_count) || writes_into(b, a->spans, a->read_count) ||
           writes_into(a, b->spans + b->read_count, b->written_count);
}

bool footprint_meets(const struct footprint *footprint, uint64_t address, uint64_t size,
                     bool write) {
    const struct span span = {address, address + size};
    return writes_into(footprint, &span, 1) ||
           (write && overlap(footprint->spans, footprint->read_count, &span, 1));
}
