/* test_visited.c - the set of fingerprints is compared with a list, while it grows and when it is
 * full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "base/visited.h"
#include "base/visited_slots.h"
#include "unit/harness.h"

static struct pool *pool;
static struct random randomness;

static int open_all(void **state) {
    (void)state;
    pool = pool_open();
    random_seed(&randomness, 7);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    pool_close(pool);
    return 0;
}

/* A fingerprint with few random bits, so that some come again and many share the first word. */
static struct fingerprint draw(uint32_t bits) {
    uint64_t word = random_next(&randomness) << (64 - bits);
    return (struct fingerprint){{word, random_below(&randomness, 3)}};
}

static bool has(const struct visited *visited, const struct fingerprint *fingerprint) {
    uint32_t note;
    return visited_read_note(visited, fingerprint, &note);
}

/* The reference: a list that is searched from its start, simple enough to be right. */
struct reference {
    struct fingerprint *items;
    size_t count;
};

static bool reference_add(struct reference *reference, struct fingerprint item) {
    for (size_t i = 0; i < reference->count; i++)
        if (fingerprint_equal(&reference->items[i], &item))
            return false;
    reference->items[reference->count++] = item;
    return true;
}

static void check_sorted(const struct visited *visited) {
    const struct fingerprint *last = NULL;
    uint64_t count = 0;
    for (uint64_t i = 0; i < visited->capacity + 1000; i++) {
        const struct fingerprint *slot = &visited->slots[i].entry;
        if (slot->word[0] == 0 && slot->word[1] == 0)
            continue;
        assert_true(last == NULL || last->word[0] < slot->word[0] ||
                    (last->word[0] == slot->word[0] && last->word[1] < slot->word[1]));
        last = slot;
        count++;
    }
    assert_int_equal(count, visited->count);
}

static void it_is_a_set(void **state) {
    enum { TRIES = 20000 };
    struct visited visited;
    (void)state;
    for (uint32_t bits = 4; bits <= 64; bits += 10) {
        struct reference reference = {calloc(TRIES, sizeof(struct fingerprint)), 0};
        visited_init(&visited, pool, 1 << 20, VISITED_STOPS);
        for (uint32_t i = 0; i < TRIES; i++) {
            struct fingerprint item = draw(bits);
            bool zeros = (item.word[0] | item.word[1]) == 0;
            if (zeros) /* the set stores {0, 0} as {0, 1} */
                item.word[1] = 1;
            bool new = reference_add(&reference, item);
            assert_int_equal(visited_add(&visited, &item), new ? VISITED_NEW : VISITED_BEFORE);
        }
        assert_int_equal(visited.count, reference.count);
        for (size_t i = 0; i < reference.count; i++)
            assert_true(has(&visited, &reference.items[i]));
        check_sorted(&visited);
        free(reference.items);
    }
}

/* Below 32,768 places the capacity is doubled, so the load falls from 90 % to 45 %. From there on it
 * grows by an eighth, and the load falls to 80 %. One entry more or less makes a difference below
 * 1 % if there are more than 1,000. */
static void it_stays_dense(void **state) {
    struct visited visited;
    (void)state;
    visited_init(&visited, pool, 64 << 20, VISITED_STOPS);
    for (uint32_t i = 0; i < 300000; i++) {
        struct fingerprint item = {{random_next(&randomness), random_next(&randomness)}};
        assert_int_equal(visited_add(&visited, &item), VISITED_NEW);
        if (visited.count > 1000)
            assert_in_range(visited.count * 1000 / visited.capacity,
                            visited.capacity <= 32768 ? 449 : 799, 900);
    }
    check_sorted(&visited);
}

static void a_full_one_takes_no_more(void **state) {
    struct visited visited;
    struct fingerprint kept[1000];
    uint32_t forgotten = 0;
    (void)state;
    visited_init(&visited, pool, 16 << 10,
                 VISITED_STOPS); /* 1,024 slots, of which 90 % may be used: 922 entries */
    for (uint32_t i = 0; i < 1000; i++) {
        kept[i] = (struct fingerprint){{random_next(&randomness), i}};
        forgotten += visited_add(&visited, &kept[i]) == VISITED_FORGOTTEN;
    }
    assert_int_equal(visited.count, 922);
    assert_int_equal(forgotten, 1000 - 922);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(has(&visited, &kept[i]), i < 922);
}

/* The last item that was added is always there. An item that the set reports was added before. */
static void a_full_one_replaces(void **state) {
    struct visited visited;
    (void)state;
    visited_init(&visited, pool, 16 << 10, VISITED_REPLACES);
    for (uint32_t i = 0; i < 100000; i++) {
        struct fingerprint item = {{random_next(&randomness), i + 1}};
        assert_int_equal(visited_add(&visited, &item), VISITED_NEW);
        assert_int_equal(visited_add(&visited, &item), VISITED_BEFORE);
        struct fingerprint other = {{random_next(&randomness), 0}};
        assert_false(has(&visited, &other));
    }
    assert_in_range(visited.count, 900, 1024 + 100);
    check_sorted(&visited);
}

/* If this program gets a number as its argument, it measures instead of testing. */
static void measure(uint64_t count) {
    struct visited visited;
    struct timespec times[3];
    uint64_t found = 0;
    open_all(NULL);
    visited_init(&visited, pool, count * 32, VISITED_STOPS);
    struct random again = randomness;
    clock_gettime(CLOCK_MONOTONIC, &times[0]);
    for (uint64_t i = 0; i < count; i++) {
        struct fingerprint item = {{random_next(&randomness), i}};
        visited_add(&visited, &item);
    }
    clock_gettime(CLOCK_MONOTONIC, &times[1]);
    for (uint64_t i = 0; i < count; i++) {
        struct fingerprint item = {{random_next(&again), i}};
        found += has(&visited, &item);
    }
    clock_gettime(CLOCK_MONOTONIC, &times[2]);
    double insert = (double)(times[1].tv_sec - times[0].tv_sec) * 1e9 +
                    (double)(times[1].tv_nsec - times[0].tv_nsec);
    double lookup = (double)(times[2].tv_sec - times[1].tv_sec) * 1e9 +
                    (double)(times[2].tv_nsec - times[1].tv_nsec);
    printf("%llu entries: insert %.0f ns, look up %.0f ns, %.1f bytes each, %llu found\n",
           (unsigned long long)count, insert / (double)count, lookup / (double)count,
           (double)visited_bytes(&visited) / (double)count, (unsigned long long)found);
    close_all(NULL);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

/* The note is not part of the fingerprint. It moves with its entry while the set grows. */
static void notes_stay_with_their_entries(void **state) {
    enum { COUNT = 20000 };
    struct visited visited;
    (void)state;
    visited_init(&visited, pool, 64 << 20, VISITED_STOPS);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            const struct fingerprint item = {
                {(i + 1) * 0x9e3779b97f4a7c15u, i * 0x123456789abcdefu}};
            uint32_t note = i, before = round > 0 ? i + round - 1 : i;
            enum visited_answer answer = visited_add_noted(&visited, &item, &note);
            assert_int_equal(answer, round == 0 ? VISITED_NEW : VISITED_BEFORE);
            assert_int_equal(note, before);
            assert_true(visited_write_note(&visited, &item, i + round));
        }
    assert_int_equal(visited.count, COUNT);
    const struct fingerprint other = {{1, 1}};
    assert_false(visited_write_note(&visited, &other, 1));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        TEST(it_is_a_set),
        TEST(it_stays_dense),
        TEST(a_full_one_takes_no_more),
        TEST(a_full_one_replaces),
        TEST(notes_stay_with_their_entries),
    };
    if (argc > 1) {
        measure(strtoull(argv[1], NULL, 10));
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
