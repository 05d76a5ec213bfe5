/* branches.c - see branches.h. */
#include "engine/branches.h"

#include "event/dependence.h"

struct branches *branches_create(struct pool *pool) {
    struct branches *branches = pool_alloc(pool, sizeof *branches);
    hash_table_init(&branches->row_numbers, pool);
    return branches;
}

/* --- the rows ------------------------------------------------------------------------------- */

static uint64_t digest_of(const struct branch_row *key) {
    return hash_mix(hash_mix(key->object, key->places[0]), key->places[1]);
}

static bool same_row(const struct branch_row *a, const struct branch_row *b) {
    return a->object == b->object && a->places[0] == b->places[0] && a->places[1] == b->places[1] &&
           a->kinds[0] == b->kinds[0] && a->kinds[1] == b->kinds[1] && a->tag == b->tag &&
           a->fatal == b->fatal;
}

static struct branch_row *find_row(struct branches *branches, uint64_t digest,
                                   const struct branch_row *key) {
    const struct hash_slot *slot = hash_table_find(&branches->row_numbers, digest);
    while (slot != NULL && !same_row(&branches->rows[slot->value], key))
        slot = hash_table_next(&branches->row_numbers, slot);
    return slot != NULL ? &branches->rows[slot->value] : NULL;
}

/* The row of that pair. NULL if there is no room for a new one. */
static struct branch_row *row_for(struct branches *branches, const struct branch_row *key) {
    uint64_t digest = digest_of(key);
    struct branch_row *row = find_row(branches, digest, key);
    if (row != NULL || branches->row_count == BRANCH_ROWS_MAX)
        return row;
    row = &branches->rows[branches->row_count];
    *row = *key;
    row->count = 0;
    hash_table_add(&branches->row_numbers, digest, branches->row_count++);
    return row;
}

static void count(struct branches *branches, const struct branch_row *key, uint64_t times) {
    struct branch_row *row = row_for(branches, key);
    branches->planned += times;
    if (row != NULL)
        row->count += times;
    else
        branches->unlisted += times;
}

/* --- the notes ------------------------------------------------------------------------------ */

static struct branch_note *add_note(struct branches *branches, const struct event *first) {
    if (branches->note_count == BRANCH_NOTES)
        return NULL;
    struct branch_note *note = &branches->notes[branches->note_count++];
    note->execution = branches->execution;
    note->first = *first;
    return note;
}

/* --- the interface -------------------------------------------------------------------------- */

static bool overlap(const struct op *a, const struct op *b) {
    return op_info(a->kind)->class == CLASS_MEMORY && op_info(b->kind)->class == CLASS_MEMORY &&
           a->object < b->object + b->size && b->object < a->object + a->size;
}

/* Two operations that wait for the same condition variable race for its mutex. */
static uint64_t shared_object(const struct op *a, const struct op *b) {
    if (a->object2 != 0 && a->object2 == b->object2)
        return a->object2;
    if (a->object == b->object || a->object == b->object2)
        return a->object;
    if (a->object2 != 0 && a->object2 == b->object)
        return a->object2;
    if (overlap(a, b))
        return a->object > b->object ? a->object : b->object;
    return 0;
}

void branches_add_race(struct branches *branches, const struct event *first,
                       const struct event *second, const uint32_t at[2]) {
    if (branches == NULL)
        return;
    bool in_order = first->op.pc < second->op.pc ||
                    (first->op.pc == second->op.pc && first->op.kind <= second->op.kind);
    const struct event *low = in_order ? first : second, *high = in_order ? second : first;
    const struct branch_row key = {.object = shared_object(&first->op, &second->op),
                                   .places = {low->op.pc, high->op.pc},
                                   .tasks = {low->task, high->task},
                                   .kinds = {low->op.kind, high->op.kind},
                                   .tag = CHOICE_SCHEDULE,
                                   .fatal = ((first->flags | second->flags) & EVENT_FATAL) != 0};
    count(branches, &key, 1);
    struct branch_note *note = add_note(branches, first);
    if (note != NULL) {
        note->second = *second;
        note->at[0] = at[0];
        note->at[1] = at[1];
    }
}

void branches_add_choice(struct branches *branches, const struct event *event, enum choice_tag tag,
                         uint32_t value, uint32_t options) {
    if (branches == NULL)
        return;
    const struct branch_row key = {.object = event->op.object,
                                   .places = {event->op.pc, 0},
                                   .tasks = {event->task, event->task},
                                   .kinds = {event->op.kind, 0},
                                   .tag = (uint8_t)tag};
    count(branches, &key, 1);
    struct branch_note *note = add_note(branches, event);
    if (note != NULL) {
        note->value = value;
        note->count = options;
        note->tag = (uint8_t)tag;
    }
}

void branches_merge(struct branches *into, const struct branches *from) {
    for (uint32_t i = 0; i < from->row_count; i++)
        count(into, &from->rows[i], from->rows[i].count);
    into->planned += from->unlisted;
    into->unlisted += from->unlisted;
    for (uint32_t i = 0; i < from->note_count && into->note_count < BRANCH_NOTES; i++)
        into->notes[into->note_count++] = from->notes[i];
}
