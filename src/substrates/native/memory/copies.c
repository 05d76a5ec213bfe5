/* copies.c - memcpy and its like: the bytes that they touch are told to the analyses as plain
 * accesses of the program. The compilers leave copies to these functions, and rely on the
 * sanitizer to see them. Our own code calls them too, also on behalf of a task; its copies are
 * not told. Functions for strings are in strings.c. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"

static inline void copies(void *to, const void *from, size_t size, uint64_t pc) {
    if (called_by_program(pc)) {
        access_for((uint64_t)from, size, false, pc);
        access_for((uint64_t)to, size, true, pc);
    }
}

static inline void sets(void *to, size_t size, uint64_t pc) {
    if (called_by_program(pc))
        access_for((uint64_t)to, size, true, pc);
}

static inline void move_bytes(char *to, const char *from, size_t size) {
    if ((uint64_t)to - (uint64_t)from >= size) {
        bytes_copy(to, from, size);
        return;
    }
    to += size - 1;
    from += size - 1;
    __asm__ volatile("std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    copies(to, from, size, CALLER_OF_PROGRAM);
    bytes_copy(to, from, size);
    return to;
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
    copies(to, from, size, CALLER_OF_PROGRAM);
    bytes_copy(to, from, size);
    return (char *)to + size;
}

EXPORT void *memmove(void *to, const void *from, size_t size) {
    copies(to, from, size, CALLER_OF_PROGRAM);
    move_bytes(to, from, size);
    return to;
}

EXPORT void bcopy(const void *from, void *to, size_t size) {
    copies(to, from, size, CALLER_OF_PROGRAM);
    move_bytes(to, from, size);
}

EXPORT void *memset(void *to, int value, size_t size) {
    sets(to, size, CALLER_OF_PROGRAM);
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
    return to;
}

EXPORT void bzero(void *to, size_t size) {
    sets(to, size, CALLER_OF_PROGRAM);
    bytes_clear(to, size);
}
