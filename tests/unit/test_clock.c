/* test_clock.c - vector clocks are compared with arrays of the full width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "event/clock.h"
#include "unit/harness.h"

enum { WIDTH = 100, CLOCKS = 6, ROUNDS = 20000 };

static void clocks_are_vectors(void **state) {
    struct pool *pool = pool_open();
    struct clock clocks[CLOCKS] = {0};
    uint32_t vectors[CLOCKS][WIDTH] = {0};
    struct random random;
    (void)state;
    random_seed(&random, 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t a = random_below(&random, CLOCKS), b = random_below(&random, CLOCKS);
        /* mostly few tasks, as in real programs */
        uint32_t task = random_below(&random, random_below(&random, 4) ? 8 : WIDTH);
        switch (random_below(&random, 4)) {
        case 0:
            clock_set(&clocks[a], pool, task, round);
            vectors[a][task] = round;
            break;
        case 1:
            clock_join(&clocks[a], pool, &clocks[b]);
            for (uint32_t i = 0; i < WIDTH; i++)
                if (vectors[a][i] < vectors[b][i])
                    vectors[a][i] = vectors[b][i];
            break;
        case 2:
            if (a == b)
                break;
            clock_copy(&clocks[a], pool, &clocks[b]);
            memcpy(vectors[a], vectors[b], sizeof vectors[a]);
            break;
        case 3:
            if (random_below(&random, 4))
                break;
            clock_clear(&clocks[a]);
            memset(vectors[a], 0, sizeof vectors[a]);
            break;
        }
        for (uint32_t i = 0; i < WIDTH; i++)
            assert_int_equal(clock_get(&clocks[a], i), vectors[a][i]);
    }
    for (uint32_t i = 0; i < CLOCKS; i++)
        clock_destroy(&clocks[i], pool);
    pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_are_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
