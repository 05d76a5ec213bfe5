/* wide.c - tests atomic structures of C11. */
#include "wide.h"

#include <stdatomic.h>

#define WIDE_EACH(N) \
    struct bytes##N { \
        unsigned char bytes[N]; \
    }; \
    static _Atomic struct bytes##N at##N; \
    static int load##N(int order) { \
        struct bytes##N value = \
            order == 2 ? atomic_load_explicit(&at##N, memory_order_acquire) : atomic_load(&at##N); \
        return wide_number(value.bytes, N); \
    } \
    static void store##N(int number, int order) { \
        struct bytes##N value; \
        wide_fill(value.bytes, N, number); \
        if (order == 0) \
            atomic_store_explicit(&at##N, value, memory_order_relaxed); \
        else if (order == 3) \
            atomic_store_explicit(&at##N, value, memory_order_release); \
        else \
            atomic_store(&at##N, value); \
    } \
    static int exchange##N(int number) { \
        struct bytes##N value; \
        wide_fill(value.bytes, N, number); \
        value = atomic_exchange(&at##N, value); \
        return wide_number(value.bytes, N); \
    } \
    static int compare##N(int *expected, int number, int weak) { \
        struct bytes##N wanted, value; \
        wide_fill(wanted.bytes, N, *expected); \
        wide_fill(value.bytes, N, number); \
        int done = weak ? atomic_compare_exchange_weak(&at##N, &wanted, value) \
                        : atomic_compare_exchange_strong(&at##N, &wanted, value); \
        *expected = wide_number(wanted.bytes, N); \
        return done; \
    }
SIZE_LIST(WIDE_EACH)

static const struct wide all[] = {
#define ROW(N) \
    {N, \
     load##N, \
     store##N, \
     exchange##N, \
     compare##N, \
     (unsigned char *)&at##N + N - 1, \
     sizeof at##N != N},
    SIZE_LIST(ROW)};

int main(int argc, char **argv) {
    return wide_main(all, sizeof all / sizeof all[0], argc, argv);
}
