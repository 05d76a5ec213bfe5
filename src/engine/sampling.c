/* sampling.c - see sampling.h. */
#include "engine/sampling.h"

/* Searches from the end, because the latest row is the most likely one. */
static struct sampling_row *find(struct sampling *sampling, uint64_t stratum) {
    for (uint32_t i = sampling->count; i-- > 0;)
        if (sampling->rows[i].stratum == stratum)
            return &sampling->rows[i];
    if (sampling->count == SAMPLING_ROWS) {
        sampling->full = true;
        return &sampling->rows[SAMPLING_ROWS - 1];
    }
    struct sampling_row *row = &sampling->rows[sampling->count++];
    *row = (struct sampling_row){.stratum = stratum};
    return row;
}

void sampling_add(struct sampling *sampling, uint64_t stratum, uint64_t samples,
                  uint64_t executions) {
    struct sampling_row *row = find(sampling, stratum);
    row->samples += samples - sampling->samples;
    row->executions += executions - sampling->executions;
    sampling->samples = samples;
    sampling->executions = executions;
}

void sampling_merge(struct sampling *into, const struct sampling *from) {
    for (uint32_t i = 0; i < from->count; i++) {
        struct sampling_row *row = find(into, from->rows[i].stratum);
        row->samples += from->rows[i].samples;
        row->executions += from->rows[i].executions;
    }
    into->full |= from->full;
    into->samples += from->samples;
    into->executions += from->executions;
}
