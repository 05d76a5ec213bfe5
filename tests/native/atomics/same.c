/* same.c - calls each function of libatomic and our own with the same arguments: the results, and
 * all bytes around, must be the same. There is no concurrency, so one execution is enough. */
#include <assert.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static int compared;

/* The function of this name: our own, which the program calls, or the one in libatomic. */
static void *function(int ours, const char *format, int size) {
    char name[64];
    snprintf(name, sizeof name, format, size);
    void *found = dlsym(ours ? RTLD_DEFAULT : library, name);
    if (found == NULL)
        fprintf(stderr, "no %s\n", name);
    assert(found != NULL);
    return found;
}

enum { ROOM = 4200 };
struct places {
    _Alignas(16) unsigned char at[ROOM];
    unsigned char a[ROOM], b[ROOM];
    long results[8];
};

static void fill(struct places *places, int size, int equal) {
    memset(places, 0, sizeof *places);
    for (int i = 0; i < ROOM; i++) {
        places->at[i] = (unsigned char)(i * 31 + size);
        places->a[i] = equal ? places->at[i] : (unsigned char)(i * 17 + 3);
        places->b[i] = (unsigned char)(i * 5 + 200);
    }
}

static void sized(int ours, struct places *p, int size) {
    int n = 0;
    ((void (*)(size_t, void *, void *, int))function(ours, "__atomic_store", 0))(size, p->at, p->b,
                                                                                 5);
    fill(p, size, 0);
    ((void (*)(size_t, void *, void *, int))function(ours, "__atomic_load", 0))(size, p->at, p->b,
                                                                                5);
    ((void (*)(size_t, void *, void *, void *, int))function(ours, "__atomic_exchange", 0))(
        size, p->at, p->a, p->b, 5);
    bool (*compare)(size_t, void *, void *, void *, int, int) =
        function(ours, "__atomic_compare_exchange", 0);
    p->results[n++] =
        compare(size, p->at, p->a, p->b, 5, 5); /* equal, because of the exchange before */
    p->results[n++] = compare(size, p->at, p->a, p->b, 5, 5);
    p->results[n++] =
        ((bool (*)(size_t, void *))function(ours, "__atomic_is_lock_free", 0))(size, p->at);
}

#define EACH_RMW(X, type) \
    X(type, "add") X(type, "sub") X(type, "and") X(type, "or") X(type, "xor") X(type, "nand")
#define EXACT(type, bytes) \
    static void exact##bytes(int ours, struct places *p) { \
        int n = 0; \
        type a, b; \
        memcpy(&a, p->a, sizeof a); \
        memcpy(&b, p->b, sizeof b); \
        ((void (*)(void *, type, int))function(ours, "__atomic_store_%d", bytes))(p->at, a, 5); \
        type seen = ((type(*)(void *, type, int))function(ours, "__atomic_exchange_%d", bytes))( \
            p->at, b, 5); \
        assert(seen == a); \
        seen = ((type(*)(void *, int))function(ours, "__atomic_load_%d", bytes))(p->at, 5); \
        assert(seen == b); \
        bool (*compare)(void *, void *, type, int, int) = \
            function(ours, "__atomic_compare_exchange_%d", bytes); \
        p->results[n++] = compare(p->at, p->a, b, 5, 5); \
        p->results[n++] = compare(p->at, p->a, a, 5, 5); \
        EACH_RMW(RMW, type) \
        p->at[0] = 1; /* for other values, libatomic returns numbers that a bool cannot hold */ \
        p->results[n++] = \
            ((bool (*)(void *, int))function(ours, "__atomic_test_and_set_%d", bytes))(p->at, 5); \
        memset(p->at, 0, bytes); \
        p->results[n++] = \
            ((bool (*)(void *, int))function(ours, "__atomic_test_and_set_%d", bytes))(p->at, 5); \
    }
#define RMW(type, how) \
    { \
        memcpy(&a, p->at + 16, sizeof a); \
        type old = ((type(*)(void *, type, int))function(ours, "__atomic_fetch_" how "_%d", \
                                                         (int)sizeof a))(p->at, a, 5); \
        memcpy(p->b + 16, &old, sizeof old); \
        old = ((type(*)(void *, type, int))function(ours, "__atomic_" how "_fetch_%d", \
                                                    (int)sizeof a))(p->at, a, 5); \
        memcpy(p->b + 32, &old, sizeof old); \
        for (size_t i = 0; i < sizeof a; i++) /* the next operation depends on both results */ \
            p->at[16 + i] = (unsigned char)(p->at[16 + i] * 7 + p->b[16 + i] + p->b[32 + i]); \
    }
EXACT(uint8_t, 1)
EXACT(uint16_t, 2)
EXACT(uint32_t, 4)
EXACT(uint64_t, 8)
EXACT(unsigned __int128, 16)

static void (*const exact[])(int, struct places *) = {exact1, exact2, exact4, exact8, exact16};

static void compare(const struct places *ours, const struct places *theirs, const char *what,
                    int size) {
    compared++;
    if (memcmp(ours, theirs, sizeof *ours) != 0) {
        fprintf(stderr, "%s of %d bytes differs: %ld %ld %ld, not %ld %ld %ld\n", what, size,
                ours->results[0], ours->results[1], ours->results[2], theirs->results[0],
                theirs->results[1], theirs->results[2]);
        abort();
    }
}

/* Runs before main, because a library that is opened later is not put back between executions. */
__attribute__((constructor)) static void open_library(void) {
    library = dlopen("libatomic.so.1", RTLD_NOW);
    assert(library != NULL);
}

int main(void) {
    static struct places ours, theirs;
    static const int more[] = {100, 255, 256, 300, 4096};
    assert(dlsym(RTLD_DEFAULT, "__atomic_load") != dlsym(library, "__atomic_load"));
    for (int i = 0; i < 32 + 5; i++) {
        int size = i < 32 ? i + 1 : more[i - 32];
        sized(1, &ours, size);
        sized(0, &theirs, size);
        compare(&ours, &theirs, "a sized operation", size);
    }
    for (int i = 0; i < 5; i++)
        for (int equal = 0; equal < 2; equal++) {
            fill(&ours, i, equal);
            fill(&theirs, i, equal);
            exact[i](1, &ours);
            exact[i](0, &theirs);
            compare(&ours, &theirs, "an operation", 1 << i);
        }
    return compared == 47 ? 0 : 1;
}
