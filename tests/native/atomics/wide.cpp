/* wide.cpp - the same tests as wide.c, with std::atomic. */
#include "wide.h"

#include <atomic>

template <int N>
struct Bytes {
    unsigned char bytes[N];
};
template <int N>
struct Wide {
    static inline std::atomic<Bytes<N>> at;
    static int load(int order) {
        Bytes<N> value = order == 2 ? at.load(std::memory_order_acquire) : at.load();
        return wide_number(value.bytes, N);
    }
    static void store(int number, int order) {
        Bytes<N> value;
        wide_fill(value.bytes, N, number);
        at.store(value, order == 0   ? std::memory_order_relaxed
                        : order == 3 ? std::memory_order_release
                                     : std::memory_order_seq_cst);
    }
    static int exchange(int number) {
        Bytes<N> value;
        wide_fill(value.bytes, N, number);
        value = at.exchange(value);
        return wide_number(value.bytes, N);
    }
    static int compare(int *expected, int number, int weak) {
        Bytes<N> wanted, value;
        wide_fill(wanted.bytes, N, *expected);
        wide_fill(value.bytes, N, number);
        int done = weak ? at.compare_exchange_weak(wanted, value)
                        : at.compare_exchange_strong(wanted, value);
        *expected = wide_number(wanted.bytes, N);
        return done;
    }
};

static const struct wide all[] = {
#define ROW(N) \
    {N, \
     Wide<N>::load, \
     Wide<N>::store, \
     Wide<N>::exchange, \
     Wide<N>::compare, \
     (unsigned char *)&Wide<N>::at + N - 1, \
     sizeof(std::atomic<Bytes<N>>) != N},
    SIZE_LIST(ROW)};

int main(int argc, char **argv) {
    return wide_main(all, sizeof all / sizeof all[0], argc, argv);
}
