/* strings.c - functions of the C library that read and write strings and memory for the program.
 * The bytes that they touch are told to the analyses as plain accesses of the program. Then the
 * C library does the work. Functions that copy like memcpy are in copies.c.
 *
 * If a function stops early, only the bytes that it must read are told: of a comparison of strings
 * those up to the first difference, of a search those up to the place that it finds. Our own code
 * calls these functions too, and its accesses are not told.
 *
 * Left out: functions that convert, scan, sort or print (strtol, sscanf, qsort, printf),
 * functions that keep a place in a string (strtok, strsep), wide characters, and calls that the
 * C library makes to its own functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"

/* The columns: the function, its return type, its parameters, their names as arguments, and the
 * calls that tell its accesses. `from`, `a` and `b` are read; `to` is written. */
#define STRINGS(ROW) \
    ROW(memcmp, int, (const void *a, const void *b, size_t size), (a, b, size), \
        (read_by(a, size, pc), read_by(b, size, pc))) \
    ROW(bcmp, int, (const void *a, const void *b, size_t size), (a, b, size), \
        (read_by(a, size, pc), read_by(b, size, pc))) \
    ROW(memchr, void *, (const void *a, int c, size_t size), (a, c, size), \
        read_by(a, up_to(a, libc_strings.memchr(a, c, size), size), pc)) \
    ROW(memrchr, void *, (const void *a, int c, size_t size), (a, c, size), read_by(a, size, pc)) \
    ROW(strlen, size_t, (const char *a), (a), read_by(a, whole(a), pc)) \
    ROW(strnlen, size_t, (const char *a, size_t size), (a, size), read_by(a, part(a, size), pc)) \
    ROW(strchr, char *, (const char *a, int c), (a, c), \
        read_by(a, up_to(a, libc_strings.strchr(a, c), SIZE_MAX), pc)) \
    ROW(strrchr, char *, (const char *a, int c), (a, c), read_by(a, whole(a), pc)) \
    ROW(strstr, char *, (const char *a, const char *b), (a, b), \
        (read_by(a, whole(a), pc), read_by(b, whole(b), pc))) \
    ROW(strcmp, int, (const char *a, const char *b), (a, b), \
        read_both(a, b, common(a, b, SIZE_MAX), pc)) \
    ROW(strncmp, int, (const char *a, const char *b, size_t size), (a, b, size), \
        read_both(a, b, common(a, b, size), pc)) \
    ROW(strcasecmp, int, (const char *a, const char *b), (a, b), \
        read_both(a, b, common_letters(a, b, SIZE_MAX), pc)) \
    ROW(strncasecmp, int, (const char *a, const char *b, size_t size), (a, b, size), \
        read_both(a, b, common_letters(a, b, size), pc)) \
    ROW(strspn, size_t, (const char *a, const char *b), (a, b), \
        (read_by(a, libc_strings.strspn(a, b) + 1, pc), read_by(b, whole(b), pc))) \
    ROW(strcspn, size_t, (const char *a, const char *b), (a, b), \
        (read_by(a, libc_strings.strcspn(a, b) + 1, pc), read_by(b, whole(b), pc))) \
    ROW(strpbrk, char *, (const char *a, const char *b), (a, b), \
        (read_by(a, libc_strings.strcspn(a, b) + 1, pc), read_by(b, whole(b), pc))) \
    ROW(strcasestr, char *, (const char *a, const char *b), (a, b), \
        (read_by(a, whole(a), pc), read_by(b, whole(b), pc))) \
    ROW(strchrnul, char *, (const char *a, int c), (a, c), \
        read_by(a, up_to(a, libc_strings.strchrnul(a, c), SIZE_MAX), pc)) \
    ROW(rawmemchr, void *, (const void *a, int c), (a, c), \
        read_by(a, up_to(a, libc_strings.rawmemchr(a, c), SIZE_MAX), pc)) \
    ROW(memmem, void *, (const void *a, size_t size, const void *b, size_t length), \
        (a, size, b, length), (read_by(a, size, pc), read_by(b, length, pc))) \
    ROW(strdup, char *, (const char *a), (a), read_by(a, whole(a), pc)) \
    ROW(strndup, char *, (const char *a, size_t size), (a, size), read_by(a, part(a, size), pc)) \
    ROW(strcpy, char *, (char *restrict to, const char *restrict from), (to, from), \
        (read_by(from, whole(from), pc), written_by(to, whole(from), pc))) \
    ROW(stpcpy, char *, (char *restrict to, const char *restrict from), (to, from), \
        (read_by(from, whole(from), pc), written_by(to, whole(from), pc))) \
    ROW(strncpy, char *, (char *restrict to, const char *restrict from, size_t size), \
        (to, from, size), (read_by(from, part(from, size), pc), written_by(to, size, pc))) \
    ROW(stpncpy, char *, (char *restrict to, const char *restrict from, size_t size), \
        (to, from, size), (read_by(from, part(from, size), pc), written_by(to, size, pc))) \
    ROW(strcat, char *, (char *restrict to, const char *restrict from), (to, from), \
        (read_by(to, whole(to), pc), read_by(from, whole(from), pc), \
         written_by(to + whole(to) - 1, whole(from), pc))) \
    ROW(strncat, char *, (char *restrict to, const char *restrict from, size_t size), \
        (to, from, size), \
        (read_by(to, whole(to), pc), read_by(from, part(from, size), pc), \
         written_by(to + whole(to) - 1, libc_strings.strnlen(from, size) + 1, pc))) \
    ROW(memccpy, void *, (void *restrict to, const void *restrict from, int c, size_t size), \
        (to, from, c, size), copied_by(to, from, c, size, pc)) \
    ROW(explicit_bzero, void, (void *to, size_t size), (to, size), written_by(to, size, pc))

static struct {
#define MEMBER(function, type, parameters, arguments, told) type(*function) parameters;
    STRINGS(MEMBER)
#undef MEMBER
    bool resolved;
} libc_strings;

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    CHECK(function != NULL);
    return function;
}

/* Finds the functions of the C library. The first call of any string function does this, because
 * it may come before our own constructors have run. */
static __attribute__((noinline)) void resolve(void) {
#define RESOLVE(function, type, parameters, arguments, told) \
    libc_strings.function = next(#function);
    STRINGS(RESOLVE)
#undef RESOLVE
    libc_strings.resolved = true;
}

/* --- how many bytes are accessed ------------------------------------------------------------ */

/* Returns the size of the string with its terminating zero. */
static size_t whole(const char *string) {
    return libc_strings.strlen(string) + 1;
}

/* Returns how many bytes of the string are read if at most `size` may be. The terminating zero
 * counts if it is among them. */
static size_t part(const char *string, size_t size) {
    size_t length = libc_strings.strnlen(string, size);
    return length < size ? length + 1 : size;
}

/* Returns how many bytes a search reads from `start`: those up to `found`, or all if `found` is
 * NULL. All are `size` bytes, or a whole string if `size` is SIZE_MAX. */
static size_t up_to(const void *start, const void *found, size_t size) {
    if (found != NULL)
        return (size_t)((const char *)found - (const char *)start) + 1;
    return size != SIZE_MAX ? size : whole(start);
}

/* Returns how many bytes of each string a comparison reads: those up to the first byte that differs
 * or the terminating zero, with this byte, but at most `size`. */
static size_t common(const char *a, const char *b, size_t size) {
    size_t at = 0;
    while (at < size && a[at] == b[at] && a[at] != '\0')
        at++;
    return at < size ? at + 1 : size;
}

/* The same for a comparison that ignores the case of letters. */
static size_t common_letters(const char *a, const char *b, size_t size) {
    size_t at = 0;
    while (at < size && libc_strings.strncasecmp(a + at, b + at, 1) == 0 && a[at] != '\0')
        at++;
    return at < size ? at + 1 : size;
}

static void read_by(const void *from, size_t size, uint64_t pc) {
    access_for((uint64_t)from, size, false, pc);
}

static void written_by(void *to, size_t size, uint64_t pc) {
    access_for((uint64_t)to, size, true, pc);
}

static void read_both(const void *a, const void *b, size_t size, uint64_t pc) {
    read_by(a, size, pc);
    read_by(b, size, pc);
}

/* Tells the accesses of memccpy. The copy ends with the first byte that equals `c`, or after `size`
 * bytes. */
static void copied_by(void *to, const void *from, int c, size_t size, uint64_t pc) {
    size_t bytes = up_to(from, libc_strings.memchr(from, c, size), size);
    read_by(from, bytes, pc);
    written_by(to, bytes, pc);
}

/* --- the functions -------------------------------------------------------------------------- */

/* The return address shows whether the program calls the function, or our own code. An inlined copy
 * in our own code would see the return address of the function around it, which can be a place in
 * the program. So the functions are never inlined. */
#define FUNCTION(function, type, parameters, arguments, told) \
    EXPORT __attribute__((noinline)) type function parameters { \
        uint64_t pc = CALLER_OF_PROGRAM; \
        if (__builtin_expect(!libc_strings.resolved, 0)) \
            resolve(); \
        if (called_by_program(pc)) \
            told; \
        return libc_strings.function arguments; \
    }
STRINGS(FUNCTION)
