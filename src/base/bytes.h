/* bytes.h - copies and zeros, for code that lives inside a tested program. There, memcpy and memset
 * belong to the program, and look at their caller first (substrates/native/memory/plain.c). Most
 * pieces are short, and consist of whole words; the rest is copied byte by byte. The runtime is
 * compiled so that no loop becomes a call of memcpy or memset again. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

enum { BYTES_LONG = 1024 }; /* from this size on, the processor has a faster instruction */

typedef uint64_t bytes_pair __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t bytes_half __attribute__((aligned(1), may_alias));
typedef uint64_t bytes_word __attribute__((aligned(1), may_alias));

static inline void bytes_copy(void *to, const void *from, size_t size) {
    char *into = to;
    const char *out = from;
    if (size >= BYTES_LONG) {
        __asm__ volatile("rep movsb" : "+D"(into), "+S"(out), "+c"(size) : : "memory");
        return;
    }
    size_t at = 0;
    for (; at + 2 * sizeof(bytes_pair) <= size; at += 2 * sizeof(bytes_pair)) {
        bytes_pair first = *(const bytes_pair *)(out + at);
        bytes_pair second = *(const bytes_pair *)(out + at + sizeof(bytes_pair));
        *(bytes_pair *)(into + at) = first;
        *(bytes_pair *)(into + at + sizeof(bytes_pair)) = second;
    }
    for (; at + sizeof(bytes_word) <= size; at += sizeof(bytes_word))
        *(bytes_word *)(into + at) = *(const bytes_word *)(out + at);
    for (; at + sizeof(bytes_half) <= size; at += sizeof(bytes_half))
        *(bytes_half *)(into + at) = *(const bytes_half *)(out + at);
    for (; at < size; at++)
        into[at] = out[at];
}

static inline void bytes_clear(void *to, size_t size) {
    char *at = to;
    if (size >= BYTES_LONG) {
        __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(0) : "memory");
        return;
    }
    char *end = at + size;
    for (; end - at >= (ptrdiff_t)sizeof(bytes_pair); at += sizeof(bytes_pair))
        *(bytes_pair *)at = (bytes_pair){0};
    for (; end - at >= (ptrdiff_t)sizeof(bytes_word); at += sizeof(bytes_word))
        *(bytes_word *)at = 0;
    for (; at < end; at++)
        *at = 0;
}

#endif
