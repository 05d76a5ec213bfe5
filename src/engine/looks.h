/* looks.h - what is known of the looks of waiting loops.
 *
 * A *look* is an atomic operation that begins a round of a loop. If the value that it reads makes
 * the round come back to its beginning, the task only waits, and the round has no effect. So the
 * system lets such a look block: the task stands before it until the value lets it pass. Then only
 * the last look of a loop is an event, and executions that differ only in failed looks are one.
 *
 * A look has a *number*, which stands for the operation and the state of its task. What a round does
 * is decided by the number, the value, and the content of the memory that the round accesses. The
 * system finds it out (substrates/native/tasks/look_facts.c), and keeps it here as a *fact*.
 * Strategies ask whether a look would have passed earlier, with the value that was there.
 *
 * A fact is about the program, so it holds for the whole search. */
#ifndef ENGINE_LOOKS_H
#define ENGINE_LOOKS_H

#include "base/hash_table.h"

enum look_answer {
    LOOK_UNKNOWN,
    LOOK_PASSES,         /* the task goes on, or it is not known to come back */
    LOOK_WAITS,          /* the task comes back to the same state */
    LOOK_WAITS_MARKED,   /* it comes back, and the value has left a mark in its state */
    LOOK_DEPENDS,        /* it may come back: this depends on memory that the round accesses */
    LOOK_FORGETS_MARK,   /* of a pair: after the second value the mark of the first one is gone */
    LOOK_REMEMBERS_MARK, /* of a pair: the task can tell that it has read the first value */
    LOOK_KEEPS_MARK,     /* of a pair: the task comes back to the look with the mark */
};

/* A plain access in a round. */
struct look_access {
    uint64_t address, pc;
    uint32_t size;
    bool write; /* of the value that was there */
};

enum { LOOK_ACCESSES = 4, LOOKS_MAX = INT32_MAX };

struct look_fact {
    enum look_answer answer;
    uint32_t next; /* another fact about the same question: its index + 1; 0: there is none */
    /* The answer holds if the memory of these accesses has this content. They are the first ones
     * that the round makes, in turn; all of them, if the round comes back. */
    uint32_t access_count;
    struct look_access accesses[LOOK_ACCESSES];
    uint64_t content; /* a digest */
    bool fenced;      /* the round has a fence that acquires */
};

struct looks {
    struct pool *pool;         /* borrowed */
    struct hash_table numbers; /* by a digest of what the number stands for */
    struct hash_table facts;   /* by question: the index + 1 of the latest fact */
    struct look_fact *list;
    uint32_t count, capacity;
    uint32_t trials;           /* how often the system had to find out */
    struct hash_table notices; /* by place: how often the system tried whether there is a loop */
    uint32_t noticed;          /* the sum of them */
};

static inline void looks_init(struct looks *looks, struct pool *pool) {
    *looks = (struct looks){.pool = pool};
    hash_table_init(&looks->numbers, pool);
    hash_table_init(&looks->facts, pool);
    hash_table_init(&looks->notices, pool);
}

/* Returns a number from 1 on. */
static inline uint32_t looks_number(struct looks *looks, uint64_t digest) {
    struct hash_slot *slot = hash_table_get(&looks->numbers, digest);
    if (slot->value == 0)
        slot->value = looks->numbers.count;
    return slot->value;
}

/* The question what a round does with a value. Small numbers are mixed with a large one first, since
 * hash_mix() maps two equal words to 0. */
static inline uint64_t looks_of_value(uint32_t number, uint64_t value) {
    return hash_mix(hash_mix(0xa0761d6478bd642fu, number), value);
}

/* The question whether the mark of the first value is gone after the second one, if the rounds find
 * this content in memory. */
static inline uint64_t looks_of_pair(uint32_t number, uint64_t first, uint64_t second,
                                     uint64_t content) {
    uint64_t question = hash_mix(hash_mix(0xe7037ed1a0b428dbu, number), content);
    return hash_mix(hash_mix(question, first), second);
}

/* The question whether the mark that is kept after this pair is gone after a third value. */
static inline uint64_t looks_of_triple(uint64_t pair, uint64_t third, uint64_t content) {
    return hash_mix(hash_mix(pair, content), hash_mix(0x589965cc75374cc3u, third));
}

/* NULL: nothing is known. */
static inline const struct look_fact *looks_fact(const struct looks *looks, uint64_t question) {
    const struct hash_slot *slot = hash_table_find(&looks->facts, question);
    return slot != NULL ? &looks->list[slot->value - 1] : NULL;
}

static inline const struct look_fact *looks_next(const struct looks *looks,
                                                 const struct look_fact *fact) {
    return fact->next != 0 ? &looks->list[fact->next - 1] : NULL;
}

static inline const struct look_fact *looks_learn(struct looks *looks, uint64_t question,
                                                  const struct look_fact *fact) {
    struct hash_slot *slot = hash_table_get(&looks->facts, question);
    looks->list = pool_grow(looks->pool, looks->list, &looks->capacity, (size_t)looks->count + 1,
                            sizeof *looks->list);
    looks->list[looks->count] = *fact;
    looks->list[looks->count].next = slot->value;
    slot->value = ++looks->count;
    return &looks->list[looks->count - 1];
}

static inline bool look_waits(enum look_answer answer) {
    return answer == LOOK_WAITS || answer == LOOK_WAITS_MARKED;
}

/* The answer for this value, for any content of memory. */
static inline enum look_answer looks_answer(const struct looks *looks, uint32_t number,
                                            uint64_t value) {
    const struct look_fact *fact = looks_fact(looks, looks_of_value(number, value));
    if (fact == NULL)
        return LOOK_UNKNOWN;
    for (; fact != NULL; fact = looks_next(looks, fact))
        if (look_waits(fact->answer))
            return fact->access_count > 0 ? LOOK_DEPENDS : fact->answer;
    return LOOK_PASSES;
}

#endif
