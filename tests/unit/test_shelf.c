/* test_shelf.c - entries come back from the shelf unchanged and in their order, whatever happens in
 * between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/delta.h"
#include "base/random.h"
#include "engine/shelf.h"
#include "unit/harness.h"

enum { ENTRIES = 3000, DEPTH_MAX = 60, PARTS = 4, PART_MAX = 40, BYTES_MAX = 30 };

/* An entry as it was put on the shelf. */
struct sample {
    uint32_t depth, saved_at;
    uint32_t path[DEPTH_MAX];
    uint32_t parts, sizes[PARTS];
    uint64_t content[PARTS][PART_MAX];
    uint32_t byte_count;
    char bytes[BYTES_MAX];
    bool imaged;
};

static struct pool *pool;
static struct random randomness;

static int open_all(void **state) {
    (void)state;
    pool = pool_open();
    random_seed(&randomness, 11);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    pool_close(pool);
    return 0;
}

static uint32_t below(uint32_t bound) {
    return random_below(&randomness, bound);
}

/* Makes the next state of a walk, a little different from the last. */
static void vary(struct sample *sample) {
    uint32_t part = below(PARTS);
    sample->parts = 1 + below(PARTS);
    sample->sizes[part] = below(PART_MAX);
    sample->content[part][below(PART_MAX)] = below(3) ? below(1000) : random_next(&randomness);
    sample->byte_count = below(BYTES_MAX);
    sample->bytes[below(BYTES_MAX)] = (char)below(256);
    sample->imaged = below(10) != 0;
}

/* Goes back to `from` decisions, then on by some random decisions. */
static void walk(struct shelf *shelf, struct execution *execution, uint32_t from,
                 struct sample *sample) {
    shelf_went_back(shelf, from);
    execution->decision_count = from;
    uint32_t depth = from + below(DEPTH_MAX - from);
    while (execution->decision_count < depth)
        execution_decide(execution, (struct decision){.chosen = below(200), .tag = below(4)});
    vary(sample);
    sample->depth = depth;
    sample->saved_at = depth - below(depth < 3 ? depth + 1 : 3);
    for (uint32_t i = 0; i < depth; i++)
        sample->path[i] = execution->decisions[i].chosen << 2 | execution->decisions[i].tag;
}

static void put(struct shelf *shelf, const struct execution *execution,
                const struct sample *sample) {
    struct image image;
    image_init(&image, pool, 1 << 20);
    for (uint32_t i = 0; i < sample->parts; i++) {
        if (i > 0)
            image_part(&image);
        image_write(&image, sample->content[i], sample->sizes[i] * sizeof(uint64_t));
    }
    struct shelf_facts facts = {sample->depth, sample->saved_at, 3 * sample->depth, sample->depth};
    shelf_add(shelf, &facts, execution, sample->imaged ? &image : NULL, sample->bytes,
              sample->byte_count);
    pool_free(pool, image.bytes, image.capacity);
    pool_free(pool, image.parts, image.part_capacity * sizeof *image.parts);
}

static void check_image(struct image *image, const struct sample *sample) {
    uint32_t used = 0;
    image_reread(image);
    assert_int_equal(image->part_count, sample->parts - 1);
    for (uint32_t i = 0; i < sample->parts; i++) {
        uint64_t content[PART_MAX];
        image_read(image, content, sample->sizes[i] * sizeof *content);
        assert_memory_equal(content, sample->content[i], sample->sizes[i] * sizeof *content);
        used += sample->sizes[i] * (uint32_t)sizeof *content;
    }
    assert_int_equal(image->used, used);
}

static void check(const struct shelf_entry *entry, const struct execution *execution,
                  struct image *image, const struct sample *sample, bool usable) {
    assert_int_equal(entry->facts.decisions, sample->depth);
    assert_int_equal(entry->facts.saved_at, sample->saved_at);
    assert_int_equal(entry->facts.events, 3 * sample->depth);
    assert_int_equal(entry->facts.steps, sample->depth);
    assert_int_equal(execution->decision_count, sample->depth);
    for (uint32_t i = 0; i < sample->depth; i++)
        assert_int_equal(execution->decisions[i].chosen << 2 | execution->decisions[i].tag,
                         sample->path[i]);
    assert_int_equal(entry->byte_count, sample->byte_count);
    assert_memory_equal(entry->bytes, sample->bytes, sample->byte_count);
    assert_int_equal(image != NULL, sample->imaged && usable);
    if (image != NULL)
        check_image(image, sample);
}

/* Some entries are taken out in between, as a search does that continues from them. */
static void all_comes_back(void **state) {
    struct shelf shelf;
    struct execution execution;
    struct sample *samples = calloc(ENTRIES, sizeof *samples), now = {0};
    uint32_t taken = 0, forgotten = 0;
    (void)state;
    shelf_init(&shelf, pool, 1 << 20);
    execution_init(&execution, pool);
    uint32_t base = 0;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        uint32_t to = execution.decision_count;
        walk(&shelf, &execution, base + below(to - base + 1), &now);
        samples[i] = now;
        put(&shelf, &execution, &now);
        if (i == ENTRIES / 2) {
            shelf_forget_images(&shelf);
            forgotten = i + 1;
        }
        while (taken < i && below(3) == 0) {
            struct image *image;
            const struct shelf_entry *entry = shelf_take(&shelf, &execution, &image);
            check(entry, &execution, image, &samples[taken], forgotten == 0 || taken >= forgotten);
            base = samples[taken++].depth;
        }
    }
    assert_int_equal(shelf.count, ENTRIES - taken);
    while (taken < ENTRIES) {
        struct image *image;
        const struct shelf_entry *entry = shelf_take(&shelf, &execution, &image);
        check(entry, &execution, image, &samples[taken], taken >= forgotten);
        taken++;
    }
    assert_int_equal(shelf.count, 0);
    free(samples);
}

/* A queue with at most a thousand entries does not need more memory with time. */
static void memory_is_used_again(void **state) {
    struct shelf shelf;
    struct execution execution;
    struct sample now = {0};
    size_t used = 0;
    (void)state;
    shelf_init(&shelf, pool, 1 << 20);
    execution_init(&execution, pool);
    for (uint32_t i = 0; i < 20000; i++) {
        struct image *image;
        walk(&shelf, &execution, 0, &now);
        put(&shelf, &execution, &now);
        if (shelf.count > 1000)
            shelf_take(&shelf, &execution, &image);
        if (i == 5000)
            used = pool->used;
    }
    assert_in_range(pool->used, used, used + (128 << 10));
    assert_in_range(shelf.bytes, 1, 1 << 20);
}

/* Eight bytes are the same and one is new, three are the same and one is new, the rest is the same.
 * Each change takes two bytes, the end takes one. */
static void a_delta_is_what_differs(void **state) {
    char before[] = "abcdefghXjklYnopqrst", now[] = "abcdefgh1jkl2nopqrst", again[20];
    uint8_t room[100];
    (void)state;
    uint8_t *end = delta_write(room, now, 20, before, 20);
    assert_int_equal(end - room, 2 + 2 + 1);
    const uint8_t *from = room;
    delta_read(&from, again, 20, before, 20);
    assert_ptr_equal(from, end);
    assert_memory_equal(again, now, 20);
}

/* Four letters are inserted in the middle. The delta holds one byte for the length of the equal
 * end, one for a change of four bytes after the first three, and the four bytes. */
static void a_delta_finds_the_end(void **state) {
    char before[] = "abcdefghijkl", now[] = "abcWXYZdefghijkl", again[16];
    uint8_t room[100];
    (void)state;
    uint8_t *end = delta_write(room, now, 16, before, 12);
    assert_int_equal(end - room, 1 + 1 + 4);
    const uint8_t *from = room;
    delta_read(&from, again, 16, before, 12);
    assert_ptr_equal(from, end);
    assert_memory_equal(again, now, 16);
}

/* All of 70 bytes are new. A change ends after 64 bytes: one byte, one more for the rest of its length
 * (7 fit into the first), 64 bytes. The other 6 take one byte more. Nothing stays, so there is no
 * end. */
static void a_delta_is_written_in_windows(void **state) {
    char before[70] = {0}, again[70] = {0}, now[70];
    uint8_t room[300];
    (void)state;
    memset(now, 'x', sizeof now);
    uint8_t *end = delta_update(room, now, before, sizeof now);
    assert_int_equal(end - room, (1 + 1 + 64) + (1 + 6));
    assert_memory_equal(before, now, sizeof now);
    const uint8_t *from = room;
    delta_apply(&from, again, sizeof again);
    assert_ptr_equal(from, end);
    assert_memory_equal(again, now, sizeof now);
}

/* Few or many bytes change, in pieces of all sizes up to three windows. */
static void a_delta_brings_every_change(void **state) {
    struct random random;
    char before[192], again[192], now[192];
    uint8_t room[2 * 192 + 40];
    (void)state;
    random_seed(&random, 7);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t size = random_below(&random, sizeof now + 1), one_in = 1 + i % 40;
        for (uint32_t j = 0; j < size; j++) {
            before[j] = again[j] = (char)random_below(&random, 4);
            now[j] =
                random_below(&random, one_in) == 0 ? (char)random_below(&random, 4) : before[j];
        }
        uint8_t *end = delta_update(room, now, before, size);
        assert_in_range(end - room, 0, delta_room(size));
        assert_memory_equal(before, now, size);
        const uint8_t *from = room;
        delta_apply(&from, again, size);
        assert_ptr_equal(from, end);
        assert_memory_equal(again, now, size);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(all_comes_back),
        TEST(memory_is_used_again),
        TEST(a_delta_is_what_differs),
        TEST(a_delta_finds_the_end),
        TEST(a_delta_is_written_in_windows),
        TEST(a_delta_brings_every_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
