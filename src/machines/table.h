/* table.h - the table of a machine type (heddle/machine.h), checked and put in order for use. */
#ifndef MACHINES_TABLE_H
#define MACHINES_TABLE_H

#include <heddle/machine.h>

/* A state. Its rows stand one after the other in the type's table. */
struct machine_state {
    const char *name;
    const struct machine_row *rows;
    uint32_t count;
    machine_entry *entry, *exit; /* or NULL */
};

struct machine_table {
    const struct machine_type *type;
    uint32_t state_count;
    uint32_t start;
    uint32_t queue_bound;
    machine_entry *at_end; /* or NULL */
    struct machine_state states[MACHINE_STATES_MAX];
};

/* Returns false if the table is wrong; `text` says in one line what is wrong. */
bool machine_table_fill(struct machine_table *table, const struct machine_type *type, char *text,
                        size_t size);

/* The state with that name; state_count if there is none. */
uint32_t machine_state_named(const struct machine_table *table, const char *name);

/* The row of the state for the event; NULL if there is none. */
static inline const struct machine_row *machine_state_row(const struct machine_state *state,
                                                          const struct machine_event *event) {
    for (uint32_t i = 0; i < state->count; i++)
        if (state->rows[i].event == event)
            return &state->rows[i];
    return NULL;
}

/* Whether a monitor of this type looks at the event at all. */
bool machine_table_mentions(const struct machine_table *table, const struct machine_event *event);

#endif
