/* delta.c - see delta.h. */
#include "base/delta.h"

#include <string.h>

#include "base/check.h"

enum { GAP = 4 }; /* so many equal bytes are worth the end of a run */

/* Not memcpy: inside a tested program that is one of ours, made for other things. */
static void copy(char *to, const char *from, size_t size) {
    typedef uint64_t word __attribute__((aligned(1), may_alias));
    size_t at = 0;
    for (; at + sizeof(word) <= size; at += sizeof(word)) {
        *(word *)(to + at) = *(const word *)(from + at);
        __asm__ volatile("" : : : "memory");
    }
    for (; at < size; at++) {
        to[at] = from[at];
        __asm__ volatile("" : : : "memory");
    }
}

size_t delta_equal(const char *a, const char *b, size_t size) {
    typedef uint64_t word __attribute__((aligned(1), may_alias));
    size_t at = 0;
    for (; at + sizeof(word) <= size; at += sizeof(word)) {
        uint64_t difference = *(const word *)(a + at) ^ *(const word *)(b + at);
        if (difference != 0)
            return at + (size_t)__builtin_ctzll(difference) / 8;
    }
    while (at < size && a[at] == b[at])
        at++;
    return at;
}

/* The end of what differs, from `at` on: up to GAP equal bytes or the end of both. */
static size_t run_end(const char *a, const char *b, size_t at, size_t size) {
    size_t equal = 0;
    for (; at < size && equal < GAP; at++)
        equal = a[at] == b[at] ? equal + 1 : 0;
    return at - equal;
}

uint8_t *delta_write(uint8_t *to, const char *now, size_t size, const char *before,
                     size_t before_size) {
    size_t common = size < before_size ? size : before_size, at = 0;
    while (at < size) {
        size_t equal = delta_equal(now + at, before + at, common > at ? common - at : 0);
        to = delta_put(to, equal);
        at += equal;
        if (at == size)
            break;
        size_t end = at < common ? run_end(now, before, at, common) : size;
        if (end == common) /* what follows is new as well */
            end = size;
        to = delta_put(to, end - at);
        copy((char *)to, now + at, end - at);
        to += end - at;
        at = end;
    }
    return to;
}

void delta_read(const uint8_t **from, char *now, size_t size, const char *before,
                size_t before_size) {
    size_t at = 0;
    while (at < size) {
        size_t equal = delta_get(from);
        CHECK(equal <= size - at && (equal == 0 || at + equal <= before_size));
        copy(now + at, before + at, equal);
        at += equal;
        if (at == size)
            break;
        size_t other = delta_get(from);
        CHECK(other <= size - at);
        copy(now + at, (const char *)*from, other);
        *from += other;
        at += other;
    }
}
