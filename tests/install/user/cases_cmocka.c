/* cases_cmocka.c - four cases, each with two atomic increments that race: two executions. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static atomic_int counter;

static void *increment(void *unused) {
    atomic_fetch_add(&counter, 1);
    return unused;
}

static void add_twice(void **state) {
    (void)state;
    pthread_t other;
    atomic_store(&counter, 0);
    pthread_create(&other, NULL, increment, NULL);
    increment(NULL);
    pthread_join(other, NULL);
    assert_int_equal(atomic_load(&counter), 2);
}

static void first(void **state) {
    add_twice(state);
}
static void second(void **state) {
    add_twice(state);
}
static void third(void **state) {
    add_twice(state);
}
static void fourth(void **state) {
    add_twice(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(first), cmocka_unit_test(second),
                                       cmocka_unit_test(third), cmocka_unit_test(fourth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
