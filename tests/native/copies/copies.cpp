/* copies.cpp - copies in C++: by functions of its library, and by objects. */
#include "copies.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>

template <int N>
struct Bytes {
    char bytes[N];
};
template <int N>
struct Ways {
    using Array = std::array<char, N>;
    [[gnu::noinline]] static void copy_function(char *to, char *from) {
        std::memcpy(to, from, N);
    }
    [[gnu::noinline]] static void copy(char *to, char *from) {
        std::copy(from, from + N, to);
    }
    [[gnu::noinline]] static void copy_n(char *to, char *from) {
        std::copy_n(from, N, to);
    }
    [[gnu::noinline]] static void fill(char *to, char *) {
        std::fill(to, to + N, 7);
    }
    [[gnu::noinline]] static void traits(char *to, char *from) {
        std::char_traits<char>::copy(to, from, N);
    }
    [[gnu::noinline]] static void array(char *to, char *from) {
        *(Array *)to = *(Array *)from;
    }
    [[gnu::noinline]] static void assign(char *to, char *from) {
        *(Bytes<N> *)to = *(Bytes<N> *)from;
    }
    [[gnu::noinline]] static void made(char *to, char *) {
        new (to) Bytes<N>();
    }
};

static const struct way ways[] = {
#define ROWS(N) \
    {"memcpy", N, Ways<N>::copy_function, 1, 1}, {"copy", N, Ways<N>::copy, 1, 1}, \
        {"copy_n", N, Ways<N>::copy_n, 1, 1}, {"fill", N, Ways<N>::fill, 0, 1}, \
        {"traits", N, Ways<N>::traits, 1, 1}, {"array", N, Ways<N>::array, 1, 1}, \
        {"assign", N, Ways<N>::assign, 1, 1}, {"made", N, Ways<N>::made, 0, 1},
    SIZE_LIST(ROWS)};

int main(int argc, char **argv) {
    return copies_main(ways, sizeof ways / sizeof ways[0], argc, argv);
}
