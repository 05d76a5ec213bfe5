/* test_race_cases.c - data races of small programs written by hand: which accesses race, and what
 * orders them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "unit/harness.h"

/* The options of an unreduced search that reports data races. */
static struct options options_of(enum sequences_mode sequences, enum volatile_mode volatiles) {
    struct options options = search_options();
    options.races = RACES_REPORT;
    options.sequences = sequences;
    options.volatiles = volatiles;
    return options;
}

static uint32_t races_by(struct options options, const struct script_instruction *a,
                         uint32_t a_length, const struct script_instruction *b, uint32_t b_length) {
    struct script script = {.tasks = {{a, a_length}, {b, b_length}}, .task_count = 2, .started = 3};
    struct search search;
    search_script(&script, "dfs", &options, &search);
    uint32_t races = search.findings[FINDING_RACE];
    assert_true(search.exhausted && !search.diverged);
    search_free(&search);
    return races;
}

#define RACES_OF(options, a, b) \
    races_by(options, a, sizeof(a) / sizeof *(a), b, sizeof(b) / sizeof *(b))
#define RACES_BY(rule, a, b) RACES_OF(options_of(rule, VOLATILE_PLAIN), a, b)
#define RACES(a, b) RACES_BY(SEQUENCES_C11, a, b)
#define RACES_ATOMIC(a, b) RACES_OF(options_of(SEQUENCES_C11, VOLATILE_ATOMIC), a, b)

/* Message passing by a flag. The writer writes the data and stores the flag. The reader loads the
 * flag and, if it was set, reads the data. The memory orders decide whether this is a race, and
 * fences can replace them. */
static void message_passing(void **state) {
    static const struct {
        uint8_t store, load, before, after; /* 255 means no fence */
        uint32_t races;
    } cases[] = {
        {ORDER_SEQ_CST, ORDER_SEQ_CST, 255, 255, 0},
        {ORDER_RELEASE, ORDER_ACQUIRE, 255, 255, 0},
        {ORDER_RELEASE, ORDER_CONSUME, 255, 255, 0},
        {ORDER_RELAXED, ORDER_ACQUIRE, 255, 255, 1},
        {ORDER_RELEASE, ORDER_RELAXED, 255, 255, 1},
        {ORDER_RELAXED, ORDER_RELAXED, 255, 255, 1},
        {ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE, ORDER_ACQUIRE, 0},
        {ORDER_RELAXED, ORDER_RELAXED, ORDER_SEQ_CST, ORDER_SEQ_CST, 0},
        {ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, 1},
        {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, 255, 0},
        {ORDER_RELEASE, ORDER_RELAXED, 255, ORDER_ACQUIRE, 0},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t none = OP_YIELD, fence = OP_FENCE;
        struct script_instruction writer[] = {
            {.code = SCRIPT_WRITE, .object = 1, .value = 1},
            {.code = cases[i].before == 255 ? none : fence, .order = cases[i].before},
            {.code = OP_STORE, .order = cases[i].store, .value = 1}};
        struct script_instruction reader[] = {
            {.code = OP_LOAD, .order = cases[i].load},
            {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 2},
            {.code = cases[i].after == 255 ? none : fence, .order = cases[i].after},
            {.code = SCRIPT_READ, .object = 1}};
        assert_int_equal(RACES(writer, reader), cases[i].races);
    }
}

/* A release fence does not cover what its task does after the fence. */
static void a_fence_covers_what_is_before_it(void **state) {
    struct script_instruction writer[] = {{.code = OP_FENCE, .order = ORDER_RELEASE},
                                          {.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                          {.code = OP_STORE, .order = ORDER_RELAXED, .value = 1}};
    struct script_instruction reader[] = {{.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                          {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 1},
                                          {.code = SCRIPT_READ, .object = 1}};
    (void)state;
    assert_int_equal(RACES(writer, reader), 1);
}

/* The second store to a location synchronises too, with a reader that has already seen the
 * first. */
static void a_location_released_twice(void **state) {
    struct script_instruction writer[] = {{.code = OP_STORE, .order = ORDER_RELEASE, .value = 1},
                                          {.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                          {.code = OP_FENCE, .order = ORDER_RELEASE},
                                          {.code = OP_STORE, .order = ORDER_RELAXED, .value = 2}};
    struct script_instruction reader[] = {{.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                          {.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                          {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 2},
                                          {.code = SCRIPT_SKIP_IF, .value = 1, .value2 = 1},
                                          {.code = SCRIPT_READ, .object = 1}};
    (void)state;
    assert_int_equal(RACES(writer, reader), 0);
}

/* A store of the same task continues a release sequence in C11, and ends it in C++20. A store of
 * another task ends the sequence under both rules. A read-modify-write never ends it. */
static void release_sequences(void **state) {
    struct script_instruction again[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                         {.code = OP_STORE, .order = ORDER_RELEASE, .value = 1},
                                         {.code = OP_STORE, .order = ORDER_RELAXED, .value = 2}};
    struct script_instruction once[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                        {.code = OP_STORE, .order = ORDER_RELEASE, .value = 1},
                                        {.code = OP_RMW, .order = ORDER_RELAXED, .value = 1}};
    struct script_instruction late[] = {{.code = OP_STORE, .order = ORDER_RELEASE, .value = 1},
                                        {.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                        {.code = OP_STORE, .order = ORDER_RELAXED, .value = 2}};
    struct script_instruction reader[] = {{.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                          {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 1},
                                          {.code = SCRIPT_READ, .object = 1}};
    struct script_instruction reader_of_2[] = {{.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                               {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 2},
                                               {.code = SCRIPT_SKIP_IF, .value = 1, .value2 = 1},
                                               {.code = SCRIPT_READ, .object = 1}};
    /* Its store may come between the two stores of `again`. Then the value that the load sees is no
     * longer part of the release sequence of the first store. */
    struct script_instruction intruder[] = {{.code = OP_STORE, .order = ORDER_RELAXED, .value = 3},
                                            {.code = OP_LOAD, .order = ORDER_ACQUIRE},
                                            {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 3},
                                            {.code = SCRIPT_SKIP_IF, .value = 1, .value2 = 2},
                                            {.code = SCRIPT_SKIP_IF, .value = 3, .value2 = 1},
                                            {.code = SCRIPT_READ, .object = 1}};
    (void)state;
    assert_int_equal(RACES_BY(SEQUENCES_C11, again, reader), 0);
    assert_int_equal(RACES_BY(SEQUENCES_CXX20, again, reader), 1);
    assert_int_equal(RACES_BY(SEQUENCES_C11, once, reader), 0);
    assert_int_equal(RACES_BY(SEQUENCES_CXX20, once, reader), 0);
    assert_int_equal(RACES_BY(SEQUENCES_C11, late, reader_of_2),
                     1); /* the write comes after the head of the sequence */
    assert_int_equal(RACES_BY(SEQUENCES_C11, again, intruder), 1);
}

/* Accesses to neighbouring bytes do not race; accesses with one common byte do. */
static void races_are_exact_to_the_byte(void **state) {
    struct script_instruction a[] = {{.code = SCRIPT_WRITE, .size = 4, .offset = 0}};
    struct script_instruction b[] = {{.code = SCRIPT_WRITE, .size = 4, .offset = 4}};
    struct script_instruction c[] = {{.code = SCRIPT_READ, .size = 1, .offset = 3}};
    (void)state;
    assert_int_equal(RACES(a, b), 0);
    assert_int_equal(RACES(a, c), 1);
    assert_int_equal(RACES(b, c), 0);
}

/* Two atomic accesses never race; an atomic and a plain one do. A volatile access counts as plain.
 * An access in an atomic section counts as atomic, and sections order each other. */
static void kinds_of_accesses(void **state) {
    struct script_instruction atomic[] = {{.code = OP_STORE, .order = ORDER_RELAXED}};
    struct script_instruction load[] = {{.code = OP_LOAD, .order = ORDER_RELAXED}};
    struct script_instruction plain[] = {{.code = SCRIPT_WRITE}};
    struct script_instruction volatile_write[] = {{.code = OP_VOLATILE_WRITE}};
    struct script_instruction section[] = {
        {.code = OP_ATOMIC}, {.code = SCRIPT_WRITE}, {.code = SCRIPT_SECTION_END}};
    struct script_instruction failing[] = {
        {.code = OP_CAS, .value = 9, .order = ORDER_RELAXED, .failure = ORDER_RELAXED}};
    struct script_instruction read[] = {{.code = SCRIPT_READ}};
    (void)state;
    assert_int_equal(RACES(atomic, load), 0);
    assert_int_equal(RACES(atomic, plain), 1);
    assert_int_equal(RACES(load, plain), 1);
    assert_int_equal(RACES(volatile_write, volatile_write), 1);
    assert_int_equal(RACES(section, section), 0);
    assert_int_equal(RACES(section, atomic), 0);
    assert_int_equal(RACES(section, plain), 1);
    assert_int_equal(RACES(failing, read), 0); /* a compare-exchange that fails only reads */
}

/* With --volatile=atomic, only plain accesses race with volatile ones. A volatile access is
 * relaxed: by itself it orders nothing, but with fences it does. A volatile store continues a
 * release sequence of its own task. */
static void volatile_as_atomic(void **state) {
    struct script_instruction store[] = {{.code = OP_VOLATILE_WRITE}};
    struct script_instruction load[] = {{.code = OP_VOLATILE_READ}};
    struct script_instruction atomic[] = {{.code = OP_STORE, .order = ORDER_RELAXED}};
    struct script_instruction plain[] = {{.code = SCRIPT_WRITE}};
    struct script_instruction read[] = {{.code = SCRIPT_READ}};
    struct script_instruction bare[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                        {.code = OP_VOLATILE_WRITE, .value = 1}};
    struct script_instruction fenced[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                          {.code = OP_FENCE, .order = ORDER_RELEASE},
                                          {.code = OP_VOLATILE_WRITE, .value = 1}};
    struct script_instruction continued[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                             {.code = OP_STORE, .order = ORDER_RELEASE, .value = 1},
                                             {.code = OP_VOLATILE_WRITE, .value = 2}};
    struct script_instruction reader[] = {{.code = OP_VOLATILE_READ},
                                          {.code = OP_FENCE, .order = ORDER_ACQUIRE},
                                          {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 1},
                                          {.code = SCRIPT_READ, .object = 1}};
    (void)state;
    assert_int_equal(RACES_ATOMIC(store, store), 0);
    assert_int_equal(RACES_ATOMIC(store, load), 0);
    assert_int_equal(RACES_ATOMIC(load, atomic), 0);
    assert_int_equal(RACES_ATOMIC(store, plain), 1);
    assert_int_equal(RACES_ATOMIC(store, read), 1);
    assert_int_equal(RACES_ATOMIC(load, plain), 1);
    assert_int_equal(RACES_ATOMIC(load, read), 0);
    assert_int_equal(RACES_ATOMIC(bare, reader), 1);
    assert_int_equal(RACES_ATOMIC(fenced, reader), 0);
    assert_int_equal(RACES_ATOMIC(continued, reader), 0);
    assert_int_equal(RACES(load, atomic), 1);
}

/* An annotated release orders everything before it before everything that follows a later acquire
 * at the same address. It does not do so for an acquire at another address, nor for an earlier
 * acquire. A reader's acquire does not take what other readers have released. */
static void annotations(void **state) {
    struct script_instruction writer[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                          {.code = OP_ANNOTATE_RELEASE},
                                          {.code = OP_STORE, .order = ORDER_RELAXED, .value = 1}};
    struct script_instruction leaving[] = {{.code = SCRIPT_WRITE, .object = 1, .value = 1},
                                           {.code = OP_ANNOTATE_RELEASE, .value = true},
                                           {.code = OP_STORE, .order = ORDER_RELAXED, .value = 1}};
    struct script_instruction unseen[] = {{.code = OP_ANNOTATE_ACQUIRE},
                                          {.code = SCRIPT_READ, .object = 1}};
#define READER(...) \
    { \
        {.code = OP_LOAD, .order = ORDER_RELAXED}, {.code = SCRIPT_SKIP_IF, .value2 = 2}, \
            {.code = OP_ANNOTATE_ACQUIRE, __VA_ARGS__}, { \
            .code = SCRIPT_READ, .object = 1 \
        } \
    }
    struct script_instruction reader[] = READER(.object = 0);
    struct script_instruction elsewhere[] = READER(.object = 1);
    struct script_instruction entering[] = READER(.value = true);
    (void)state;
    assert_int_equal(RACES(writer, reader), 0);
    assert_int_equal(RACES(writer, elsewhere), 1);
    assert_int_equal(RACES(writer, entering), 0);
    assert_int_equal(RACES(leaving, entering), 1);
    assert_int_equal(RACES(leaving, reader), 0);
    assert_int_equal(RACES(writer, unseen), 1);
}

/* A read lock does not order two readers, so two writes under it are a race. */
static void readers_do_not_order_each_other(void **state) {
    struct script_instruction reader[] = {
        {.code = OP_READ_LOCK}, {.code = SCRIPT_WRITE}, {.code = OP_RW_UNLOCK}};
    struct script_instruction writer[] = {
        {.code = OP_WRITE_LOCK}, {.code = SCRIPT_WRITE}, {.code = OP_RW_UNLOCK}};
    (void)state;
    assert_int_equal(RACES(reader, reader), 1);
    assert_int_equal(RACES(reader, writer), 0);
    assert_int_equal(RACES(writer, writer), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_passing),
        cmocka_unit_test(a_fence_covers_what_is_before_it),
        cmocka_unit_test(a_location_released_twice),
        cmocka_unit_test(release_sequences),
        cmocka_unit_test(races_are_exact_to_the_byte),
        cmocka_unit_test(kinds_of_accesses),
        cmocka_unit_test(volatile_as_atomic),
        cmocka_unit_test(annotations),
        cmocka_unit_test(readers_do_not_order_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
