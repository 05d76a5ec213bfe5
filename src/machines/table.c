/* table.c - see table.h. A table is checked once, when the first machine of its type is created. */
#include "machines/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A check under way, and the message that it leaves. */
struct check {
    struct machine_table *table;
    char *text;
    size_t size;
    uint32_t starts;
};

static bool wrong(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(struct check *check, const char *format, ...) {
    va_list list;
    int used = snprintf(check->text, check->size,
                        "%s %.80s: ", check->table->type->monitor ? "monitor" : "machine",
                        check->table->type->name);
    va_start(list, format);
    if (used >= 0 && (size_t)used < check->size)
        vsnprintf(check->text + used, check->size - (size_t)used, format, list);
    va_end(list);
    return false;
}

uint32_t machine_state_named(const struct machine_table *table, const char *name) {
    for (uint32_t i = 0; i < table->state_count; i++)
        if (table->states[i].name == name)
            return i; /* mostly it is the same literal */
    for (uint32_t i = 0; i < table->state_count; i++)
        if (strcmp(table->states[i].name, name) == 0)
            return i;
    return table->state_count;
}

bool machine_table_mentions(const struct machine_table *table, const struct machine_event *event) {
    for (uint32_t i = 0; i < table->state_count; i++)
        if (machine_state_row(&table->states[i], event) != NULL)
            return true;
    return false;
}

static bool add_state(struct check *check, const struct machine_row *row) {
    struct machine_table *table = check->table;
    if (table->state_count == MACHINE_STATES_MAX)
        return wrong(check, "more than %d states", MACHINE_STATES_MAX);
    if (machine_state_named(table, row->state) != table->state_count)
        return wrong(check, "two states are named \"%s\"", row->state);
    if (row->number == 1) {
        table->start = table->state_count;
        check->starts++;
    }
    table->states[table->state_count++] =
        (struct machine_state){.name = row->state, .rows = row + 1};
    return true;
}

static bool set_entry(struct check *check, struct machine_state *state, machine_entry **place,
                      const struct machine_row *row) {
    if (*place != NULL)
        return wrong(check, "state \"%s\" has two %s functions", state->name,
                     row->kind == MACHINE_ROW_ENTRY ? "entry" : "exit");
    *place = row->entry;
    return true;
}

/* Adds a row to the state that was begun last. */
static bool add_row(struct check *check, const struct machine_row *row) {
    struct machine_table *table = check->table;
    if (table->state_count == 0)
        return wrong(check, "a row stands before its first state");
    struct machine_state *state = &table->states[table->state_count - 1];
    if (row->event != NULL && machine_state_row(state, row->event) != NULL)
        return wrong(check, "state \"%s\" has two rows for event %s", state->name,
                     row->event->name);
    state->count++;
    if (row->kind == MACHINE_ROW_ENTRY)
        return set_entry(check, state, &state->entry, row);
    if (row->kind == MACHINE_ROW_EXIT)
        return set_entry(check, state, &state->exit, row);
    if (row->kind == MACHINE_ROW_DEFER && table->type->monitor)
        return wrong(check, "state \"%s\" defers %s: a monitor has no queue", state->name,
                     row->event->name);
    return true;
}

static bool set_bound(struct check *check, uint32_t bound) {
    if (bound == 0 || bound > MACHINE_QUEUE_MAX)
        return wrong(check, "QUEUE(%u): from 1 to %d events may wait", bound, MACHINE_QUEUE_MAX);
    check->table->queue_bound = bound;
    return true;
}

static bool add(struct check *check, const struct machine_row *row) {
    switch (row->kind) {
    case MACHINE_ROW_STATE: return add_state(check, row);
    case MACHINE_ROW_QUEUE: return set_bound(check, row->number);
    case MACHINE_ROW_AT_END:
        if (!check->table->type->monitor)
            return wrong(check, "AT_END is for monitors");
        check->table->at_end = row->entry;
        break;
    case MACHINE_ROW_ENTRY:
    case MACHINE_ROW_EXIT:
    case MACHINE_ROW_ON:
    case MACHINE_ROW_PUSH:
    case MACHINE_ROW_POP:
    case MACHINE_ROW_DEFER:
    case MACHINE_ROW_IGNORE: return add_row(check, row);
    case MACHINE_ROW_END: break;
    }
    return true;
}

static bool check_targets(struct check *check) {
    const struct machine_table *table = check->table;
    for (uint32_t i = 0; i < table->state_count; i++) {
        const struct machine_state *state = &table->states[i];
        for (uint32_t j = 0; j < state->count; j++) {
            const char *target = state->rows[j].state;
            if (target != NULL && machine_state_named(table, target) == table->state_count)
                return wrong(check, "state \"%s\", where \"%s\" goes on %s, is unknown", target,
                             state->name, state->rows[j].event->name);
        }
    }
    return true;
}

bool machine_table_fill(struct machine_table *table, const struct machine_type *type, char *text,
                        size_t size) {
    struct check check = {.table = table, .text = text, .size = size};
    *table = (struct machine_table){.type = type, .queue_bound = MACHINE_QUEUE_DEFAULT};
    for (const struct machine_row *row = type->rows; row->kind != MACHINE_ROW_END; row++)
        if (!add(&check, row))
            return false;
    if (check.starts != 1)
        return wrong(&check, "it has %u START states instead of one", check.starts);
    return check_targets(&check);
}
