/* test_checkpoint.c - which states the checkpoints save, keep and find again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "engine/checkpoint.h"
#include "unit/harness.h"

static struct checkpoints checkpoints;
static struct pool *pool;

static int open_all(void **state) {
    (void)state;
    pool = pool_open();
    checkpoints_init(&checkpoints, pool, CHECKPOINTS_MAX);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    pool_close(pool);
    return 0;
}

/* Saves a state whose content is its number of decisions. */
static void save_at(uint32_t decisions, uint32_t size) {
    static char bytes[4 << 20];
    struct execution execution = {.decision_count = decisions};
    struct checkpoint *checkpoint = checkpoints_push(&checkpoints, &execution);
    memcpy(bytes, &decisions, sizeof decisions);
    image_write(&checkpoint->image, bytes, size);
    checkpoints_saved(&checkpoints);
}

static uint32_t found_for(uint32_t decisions) {
    struct checkpoint *checkpoint = checkpoints_latest(&checkpoints, decisions);
    uint32_t content;
    if (checkpoint == NULL)
        return 0;
    image_reread(&checkpoint->image);
    image_read(&checkpoint->image, &content, sizeof content);
    assert_int_equal(content, checkpoint->decisions);
    return content;
}

static void the_latest_before_is_found(void **state) {
    (void)state;
    save_at(10, 64);
    save_at(20, 64);
    save_at(30, 64);
    assert_int_equal(found_for(35), 30);
    assert_int_equal(found_for(29), 20);
    assert_int_equal(found_for(40), 20); /* the search for 29 dropped the later states */
    assert_int_equal(found_for(9), 0);
    assert_null(checkpoints_latest(&checkpoints, 100));
}

static void a_long_way_is_halved(void **state) {
    (void)state;
    checkpoints_plan(&checkpoints, 0, 1000, false);
    assert_int_equal(checkpoints.due, 500);
    checkpoints_plan(&checkpoints, 500, 1000, false);
    assert_int_equal(checkpoints.due, 750);
    checkpoints_plan(&checkpoints, 997, 1000, false);
    assert_int_equal(checkpoints.due, CHECKPOINT_NEVER);
    checkpoints_plan(&checkpoints, 997, 1000, true); /* the state will be needed again */
    assert_int_equal(checkpoints.due, 1000);
}

static void too_many_are_thinned_out(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= 1000; i++)
        save_at(i, 64);
    assert_true(checkpoints.count <= CHECKPOINTS_MAX);
    assert_int_equal(found_for(1000), 1000);
    for (uint32_t i = 1; i < checkpoints.count; i++)
        assert_true(checkpoints.stack[i - 1].decisions < checkpoints.stack[i].decisions);
}

/* Five hundred states of four megabytes each are 2 GB, more than may be kept. */
static void large_ones_are_fewer(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= 500; i++)
        save_at(i, 4 << 20);
    assert_true(checkpoints.count <= 32);
    assert_true(pool->used < (size_t)300 << 20);
    assert_int_equal(found_for(500), 500);
}

static void a_failed_save_is_not_tried_again_at_once(void **state) {
    struct execution execution = {.decision_count = 7};
    (void)state;
    checkpoints_push(&checkpoints, &execution);
    checkpoints_failed(&checkpoints);
    assert_int_equal(checkpoints.count, 0);
    checkpoints_plan(&checkpoints, 0, 1000, true);
    assert_int_equal(checkpoints.due, CHECKPOINT_NEVER);
    checkpoints_plan(&checkpoints, 0, 1000, true);
    checkpoints_plan(&checkpoints, 0, 1000, true);
    assert_int_equal(checkpoints.due, 500);
}

static void an_image_knows_its_limit(void **state) {
    struct image image;
    char bytes[100] = {0};
    (void)state;
    image_init(&image, pool, 250);
    image_write(&image, bytes, sizeof bytes);
    image_write(&image, bytes, sizeof bytes);
    assert_false(image.full);
    image_write(&image, bytes, sizeof bytes);
    assert_true(image.full);
    image_rewrite(&image);
    image_write_number(&image, 42);
    image_reread(&image);
    assert_int_equal(image_read_number(&image), 42);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_latest_before_is_found),
        TEST(a_long_way_is_halved),
        TEST(too_many_are_thinned_out),
        TEST(large_ones_are_fewer),
        TEST(a_failed_save_is_not_tried_again_at_once),
        TEST(an_image_knows_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
