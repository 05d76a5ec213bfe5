/* branches.c - see branches.h. */
#include "engine/branches.h"

#include "event/dependence.h"

struct branches *branches_create(struct pool *pool) {
    return pool_alloc(pool, sizeof(struct branches));
}

/* --- the rows ------------------------------------------------------------------------------- */

static uint32_t slot_of(const struct branch_row *key) {
    uint64_t hash = key->object * 0x9e3779b97f4a7c15u;
    hash = (hash ^ key->places[0]) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 32) ^ key->places[1]) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(hash >> 32) % BRANCH_SLOTS;
}

static bool same_row(const struct branch_row *a, const struct branch_row *b) {
    return a->object == b->object && a->places[0] == b->places[0] && a->places[1] == b->places[1] &&
           a->kinds[0] == b->kinds[0] && a->kinds[1] == b->kinds[1] && a->tag == b->tag &&
           a->fatal == b->fatal;
}

static void count(struct branches *branches, const struct branch_row *key) {
    uint32_t slot = slot_of(key);
    while (branches->rows[slot].count != 0 && !same_row(&branches->rows[slot], key))
        slot = (slot + 1) % BRANCH_SLOTS;
    struct branch_row *row = &branches->rows[slot];
    branches->planned++;
    if (row->count == 0 && branches->row_count == BRANCH_ROWS_MAX) {
        branches->unlisted++;
        return;
    }
    if (row->count == 0) {
        *row = *key;
        branches->row_count++;
    }
    row->count++;
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

/* Two that wait for one condition race for its mutex. */
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
    count(branches, &key);
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
    count(branches, &key);
    struct branch_note *note = add_note(branches, event);
    if (note != NULL) {
        note->value = value;
        note->count = options;
        note->tag = (uint8_t)tag;
    }
}
