/* test_hash_table.c - the table of numbers is compared with a list, by random operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/check.h"
#include "base/hash_table.h"
#include "base/random.h"
#include "unit/harness.h"

enum { ROUNDS = 200, OPERATIONS = 400, PAIRS_MAX = 4 * OPERATIONS };

/* The reference: pairs in the order in which they came, searched from the start. */
struct pair {
    uint64_t key;
    uint32_t value;
};

struct reference {
    struct pair pairs[PAIRS_MAX];
    uint32_t count;
};

static struct pool *pool;
static struct random randomness;
static struct reference reference;
static struct hash_table table;

static int set_up(void **state) {
    (void)state;
    pool = pool_open();
    random_seed(&randomness, 11);
    hash_table_init(&table, pool);
    reference.count = 0;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    pool_close(pool);
    return 0;
}

/* Few keys, so that some come again; close together, far apart, or with the low bits equal. */
static uint64_t draw_key(uint32_t round) {
    static const uint32_t shifts[] = {0, 4, 12, 40, 58};
    uint64_t key = random_below(&randomness, round % 2 ? 20 : 1000);
    return key << shifts[round % (sizeof shifts / sizeof *shifts)];
}

static uint32_t count_pairs(uint64_t key, uint32_t value) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < reference.count; i++)
        count += reference.pairs[i].key == key && reference.pairs[i].value == value;
    return count;
}

static uint32_t count_key(uint64_t key) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < reference.count; i++)
        count += reference.pairs[i].key == key;
    return count;
}

/* The slots of this key have the values that the reference has, each once: values are unique. */
static void check_key(uint64_t key) {
    uint32_t count = 0;
    for (const struct hash_slot *slot = hash_table_find(&table, key); slot != NULL;
         slot = hash_table_next(&table, slot)) {
        assert_int_equal(slot->key, key);
        assert_int_equal(count_pairs(key, slot->value), 1);
        count++;
    }
    assert_int_equal(count, count_key(key));
}

static void add(uint64_t key, uint32_t value) {
    assert_int_equal(hash_table_add(&table, key, value)->value, value);
    reference.pairs[reference.count++] = (struct pair){key, value};
}

/* A new slot gets the value; of an old one the value is one that the reference has. */
static void get(uint64_t key, uint32_t value) {
    bool fresh = count_key(key) == 0;
    struct hash_slot *slot = hash_table_get(&table, key);
    assert_int_equal(slot->key, key);
    if (!fresh) {
        assert_int_equal(count_pairs(key, slot->value), 1);
        return;
    }
    assert_int_equal(slot->value, 0);
    slot->value = value;
    reference.pairs[reference.count++] = (struct pair){key, value};
}

static void clear(void) {
    hash_table_clear(&table);
    reference.count = 0;
}

static void operate(uint32_t round, uint32_t value) {
    uint64_t key = draw_key(round);
    switch (random_below(&randomness, 4)) {
    case 0: add(key, value); break;
    case 1: get(key, value); break;
    default: check_key(key); break;
    }
}

static void it_is_a_map_from_keys_to_values(void **state) {
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 1; i <= OPERATIONS; i++)
            operate(round, i);
        for (uint32_t i = 0; i < reference.count; i++)
            check_key(reference.pairs[i].key);
        assert_int_equal(table.count, reference.count);
        clear();
    }
}

static void it_is_at_most_half_full(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        hash_table_add(&table, i, i);
        assert_true(table.count * 2 <= table.mask + 1);
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(hash_table_find(&table, i)->value, i);
}

static void many_entries_share_a_key(void **state) {
    enum { COUNT = 1000 };
    bool seen[COUNT] = {false};
    uint32_t count = 0;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        hash_table_add(&table, 5, i);
    for (const struct hash_slot *slot = hash_table_find(&table, 5); slot != NULL;
         slot = hash_table_next(&table, slot)) {
        assert_false(seen[slot->value]);
        seen[slot->value] = true;
        count++;
    }
    assert_int_equal(count, COUNT);
}

/* After 2^32 generations the slots of the first one must not come back. */
static void generations_come_round(void **state) {
    (void)state;
    add(1, 1); /* generation 1 */
    table.generation = UINT32_MAX;
    table.count = 0;
    reference.count = 0;
    check_key(1);
    add(2, 2);
    clear();
    assert_int_equal(table.generation, 1);
    check_key(1);
    check_key(2);
}

static void clearing_keeps_the_memory(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        hash_table_add(&table, i, i);
    size_t used = pool->used;
    for (uint32_t round = 0; round < 100; round++) {
        hash_table_clear(&table);
        assert_null(hash_table_find(&table, 7));
        for (uint32_t i = 0; i < 1000; i++)
            hash_table_add(&table, i, i);
    }
    assert_int_equal(pool->used, used);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(it_is_a_map_from_keys_to_values), CASE(it_is_at_most_half_full),
        CASE(many_entries_share_a_key),        CASE(generations_come_round),
        CASE(clearing_keeps_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
