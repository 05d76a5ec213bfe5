/* test_visited_values.c - the set of states with values is compared with a list, while it grows and
 * when it is full, for each size of a value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "base/visited_values.h"
#include "unit/harness.h"

enum { WORDS = VISITED_VALUE_WORDS, OPERATIONS = 12000, BYTES = 1 << 20 };

static struct pool *pool;
static struct random randomness;

static int open_all(void **state) {
    (void)state;
    pool = pool_open();
    random_seed(&randomness, 13);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    pool_close(pool);
    return 0;
}

/* What is known of a state. */
struct record {
    struct fingerprint state;
    uint32_t note;
    uint64_t value[WORDS];
};

/* The reference: a list that is searched from its start. */
struct reference {
    struct record *records;
    uint32_t count;
};

static struct record *find(const struct reference *reference, struct fingerprint state) {
    for (uint32_t i = 0; i < reference->count; i++)
        if (fingerprint_equal(&reference->records[i].state, &state))
            return &reference->records[i];
    return NULL;
}

/* Few random bits: some states come again, and many share the first word. Zeros would be stored as
 * {0, 1}, so the second word is never 0. */
static struct record draw(uint32_t bits) {
    uint64_t word = random_next(&randomness) << (64 - bits);
    struct record record = {.state = {{word, 1 + random_below(&randomness, 3)}},
                            .note = random_below(&randomness, 1 << VISITED_NOTE_BITS)};
    for (uint32_t i = 0; i < WORDS; i++)
        record.value[i] = random_next(&randomness);
    return record;
}

static void assert_same(const struct record *a, const struct record *b, uint32_t words) {
    assert_int_equal(a->note, b->note);
    assert_memory_equal(a->value, b->value, words * sizeof *a->value);
}

static void add(struct visited_values *values, struct reference *reference, struct record record,
                uint32_t words) {
    const struct record *known = find(reference, record.state), given = record;
    enum visited_answer answer =
        visited_values_add(values, &record.state, &record.note, record.value);
    assert_int_equal(answer, known != NULL ? VISITED_BEFORE : VISITED_NEW);
    assert_same(&record, known != NULL ? known : &given, words);
    if (known == NULL)
        reference->records[reference->count++] = given;
}

static void write(struct visited_values *values, struct reference *reference, struct record record,
                  uint32_t words) {
    struct record *known = find(reference, record.state);
    bool there = visited_values_write(values, &record.state, record.note, record.value);
    assert_int_equal(there, known != NULL);
    if (known == NULL)
        return;
    known->note = record.note;
    memcpy(known->value, record.value, words * sizeof *known->value);
}

static void read(const struct visited_values *values, const struct reference *reference,
                 struct record record, uint32_t words) {
    const struct record *known = find(reference, record.state);
    bool there = visited_values_read(values, &record.state, &record.note, record.value);
    assert_int_equal(there, known != NULL);
    if (known != NULL)
        assert_same(&record, known, words);
}

static void operate(struct visited_values *values, struct reference *reference, uint32_t bits,
                    uint32_t words) {
    switch (random_below(&randomness, 4)) {
    case 0: write(values, reference, draw(bits), words); break;
    case 1: read(values, reference, draw(bits), words); break;
    default: add(values, reference, draw(bits), words); break;
    }
}

/* From 1024 slots on, the set grows several times. With 4 bits, 48 states come again and again. */
static void values_stay_with_their_states(void **state) {
    (void)state;
    for (uint32_t words = 1; words <= WORDS; words++)
        for (uint32_t bits = 4; bits <= 64; bits += 10) {
            struct visited_values values;
            struct reference reference = {calloc(OPERATIONS, sizeof(struct record)), 0};
            visited_values_init(&values, pool, BYTES, VISITED_STOPS, words);
            for (uint32_t i = 0; i < OPERATIONS; i++)
                operate(&values, &reference, bits, words);
            for (uint32_t i = 0; i < reference.count; i++)
                read(&values, &reference, reference.records[i], words);
            assert_int_equal(values.set.count, reference.count);
            assert_int_equal(visited_values_bytes(&values), values.set.capacity * (16 + 8 * words));
            free(reference.records);
        }
}

/* 1024 slots, of which nine tenths may be used: 922 states, since 921 * 10 < 1024 * 9 <= 922 *
 * 10. */
static void a_full_set_stops(void **state) {
    enum { TRIES = 2000, ROOM = 922 };
    (void)state;
    for (uint32_t words = 1; words <= WORDS; words++) {
        struct visited_values values;
        struct reference reference = {calloc(TRIES, sizeof(struct record)), 0};
        visited_values_init(&values, pool, 0, VISITED_STOPS, words);
        for (uint32_t i = 0; i < TRIES; i++) {
            assert_int_equal(visited_values_are_full(&values), i >= ROOM);
            if (i < ROOM) {
                add(&values, &reference, draw(64), words);
                continue;
            }
            struct record record = draw(64);
            assert_int_equal(visited_values_add(&values, &record.state, &record.note, record.value),
                             VISITED_FORGOTTEN);
            read(&values, &reference, record, words);
        }
        for (uint32_t i = 0; i < reference.count; i++)
            read(&values, &reference, reference.records[i], words);
        free(reference.records);
    }
}

/* A state that is still there has its own value, and as many are there as the set counts. */
static void a_full_set_replaces(void **state) {
    enum { TRIES = 4000 };
    (void)state;
    for (uint32_t words = 1; words <= WORDS; words++) {
        struct visited_values values;
        struct record *records = calloc(TRIES, sizeof *records);
        uint32_t there = 0;
        visited_values_init(&values, pool, 0, VISITED_REPLACES, words);
        for (uint32_t i = 0; i < TRIES; i++) {
            struct record record = records[i] = draw(64);
            assert_int_equal(visited_values_add(&values, &record.state, &record.note, record.value),
                             VISITED_NEW);
            assert_true(visited_values_read(&values, &record.state, &record.note, record.value));
            assert_same(&record, &records[i], words);
        }
        for (uint32_t i = 0; i < TRIES; i++) {
            struct record record = records[i];
            if (!visited_values_read(&values, &record.state, &record.note, record.value))
                continue;
            assert_same(&record, &records[i], words);
            there++;
        }
        assert_int_equal(there, values.set.count);
        free(records);
    }
}

/* A lower limit ends the growth; a higher one lets it go on. */
static void the_limit_can_change(void **state) {
    struct visited_values values;
    struct reference reference = {calloc(OPERATIONS, sizeof(struct record)), 0};
    (void)state;
    visited_values_init(&values, pool, BYTES, VISITED_STOPS, 2);
    visited_values_limit(&values, 64 << 10);
    while (!visited_values_are_full(&values))
        add(&values, &reference, draw(64), 2);
    assert_true(visited_values_bytes(&values) <= 64 << 10);
    visited_values_limit(&values, BYTES);
    assert_false(visited_values_are_full(&values));
    add(&values, &reference, draw(64), 2);
    for (uint32_t i = 0; i < reference.count; i++)
        read(&values, &reference, reference.records[i], 2);
    free(reference.records);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        CASE(values_stay_with_their_states),
        CASE(a_full_set_stops),
        CASE(a_full_set_replaces),
        CASE(the_limit_can_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
