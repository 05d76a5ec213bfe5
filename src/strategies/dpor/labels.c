/* labels.c - see labels.h. */
#include "strategies/dpor/labels.h"

#include <string.h>

/* Labels without users are not looked for before there are so many. Tests have fewer. */
#ifndef LABELS_MIN
#define LABELS_MIN (1 << 10)
#endif

void labels_init(struct labels *labels, struct pool *pool) {
    *labels = (struct labels){.pool = pool, .limit = LABELS_MIN};
    hash_table_init(&labels->digests, pool);
}

static struct event planned_event(const struct event *event) {
    struct event planned = *event;
    planned.stack = planned.note = 0;
    if (!is_atomic_access(event))
        return planned;
    const struct op *op = &event->op;
    planned.op = (struct op){.kind = op->kind, .size = op->size, .object = op->object};
    planned.result = 0;
    return planned;
}

static uint64_t digest_words(uint64_t digest, const void *data, size_t size) {
    uint64_t word;
    for (size_t at = 0; at < size; at += sizeof word) {
        memcpy(&word, (const char *)data + at, sizeof word);
        digest = hash_mix(digest, word);
    }
    return digest;
}

static uint64_t digest_of(const struct event *event, const struct chosen *choices,
                          uint32_t choice_count) {
    uint64_t digest = digest_words(choice_count, event, sizeof *event);
    return digest_words(digest, choices, choice_count * sizeof *choices);
}

static bool is_same(const struct label *label, const struct event *event,
                    const struct chosen *choices, uint32_t choice_count) {
    return label->choice_count == choice_count && !memcmp(&label->event, event, sizeof *event) &&
           (choice_count == 0 || !memcmp(label->choices, choices, choice_count * sizeof *choices));
}

static void add(struct labels *labels, uint64_t digest, struct label *label) {
    labels->kept = pool_grow(labels->pool, labels->kept, &labels->capacity,
                             (size_t)labels->count + 1, sizeof(struct label *));
    hash_table_add(&labels->digests, digest, labels->count);
    labels->kept[labels->count++] = label;
}

/* Frees the labels that have no users. */
static void tidy(struct labels *labels) {
    uint32_t count = labels->count;
    labels->count = 0;
    hash_table_clear(&labels->digests);
    for (uint32_t i = 0; i < count; i++) {
        struct label *label = labels->kept[i];
        label->kept = label->users > 0;
        label->users++;
        if (label->kept)
            add(labels, digest_of(&label->event, label->choices, label->choice_count), label);
        label_leave(labels->pool, label);
    }
    labels->limit = labels->count > LABELS_MIN / 2 ? labels->count * 2 : LABELS_MIN;
}

struct label *labels_keep(struct labels *labels, const struct event *event,
                          const struct chosen *choices, uint32_t choice_count) {
    struct event planned = planned_event(event);
    uint64_t digest = digest_of(&planned, choices, choice_count);
    const struct hash_slot *slot = hash_table_find(&labels->digests, digest);
    while (slot != NULL && !is_same(labels->kept[slot->value], &planned, choices, choice_count))
        slot = hash_table_next(&labels->digests, slot);
    if (slot != NULL)
        return labels->kept[slot->value];
    if (labels->count >= labels->limit)
        tidy(labels);
    struct label *label = label_new(labels->pool, &planned, choices, choice_count);
    label->kept = true;
    add(labels, digest, label);
    return label;
}

struct label *labels_plan(struct labels *labels, struct label *made) {
    if (made->planned == NULL) {
        made->planned = labels_keep(labels, &made->event, made->choices, made->choice_count);
        made->planned->users++;
    }
    return made->planned;
}
