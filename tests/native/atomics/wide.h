/* wide.h - the common part of the tests of atomic structures in C and C++. Two threads share one
 * atomic of argv[2] bytes, or of each size in turn. SIZE_LIST names the sizes. WIDE_EACH(N) defines
 * the operations. */
#ifndef WIDE_H
#define WIDE_H
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define SIZE_LIST(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(100) X(255)
/* clang-format on */

/* The operations on a number that fills the bytes of a structure. Its first byte is the number. */
struct wide {
    int size;
    int (*load)(int order);
    void (*store)(int number, int order);
    int (*exchange)(int number);
    int (*compare_exchange)(int *expected, int number, int weak);
    unsigned char *last; /* the last byte */
    int padded;          /* the atomic is larger than its value */
};

/* Each byte differs from the one before it, so a partial access is noticed. */
static inline void wide_fill(unsigned char *bytes, int size, int number) {
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(number + i * 7);
}
static inline int wide_number(const unsigned char *bytes, int size) {
    for (int i = 0; i < size; i++)
        assert(bytes[i] == (unsigned char)(bytes[0] + i * 7));
    return bytes[0];
}

static const struct wide *wide;
static int weak, out[2], data;
static const char *mode;

static void add(int right) {
    int seen = wide->load(5);
    if (!right)
        wide->store(seen + 1, 5);
    else
        while (!wide->compare_exchange(&seen, seen + 1, weak))
            ;
}

static void *work(void *argument) {
    int self = argument != NULL;
    if (!strcmp(mode, "lost"))
        add(0);
    else if (!strcmp(mode, "strong") || !strcmp(mode, "weak"))
        add(1);
    else if (!strcmp(mode, "exchange"))
        out[self] = wide->exchange(self + 1);
    else if (!strcmp(mode, "race") && self == 0)
        wide->store(1, 5);
    else if (!strcmp(mode, "race"))
        out[self] = *wide->last;
    else if (self == 0) { /* the modes publish, relaxed and wait */
        data = 1;
        wide->store(1, !strcmp(mode, "relaxed") ? 0 : 3);
    } else if (!strcmp(mode, "wait")) {
        while (wide->load(2) != 1)
            ;
        assert(data == 1);
    } else if (wide->load(2) == 1) {
        assert(data == 1);
    }
    return NULL;
}

/* True if the mode can be tried with this size. clang rounds the size of an _Atomic structure up to
 * a power of two and compares its padding too, so a loop around such a compare-exchange might never
 * end. With 255 bytes, two rounds of a waiting loop read more than the tool keeps. */
static int is_tried(const struct wide *one) {
    int compares = !strcmp(mode, "strong") || !strcmp(mode, "weak");
    return compares ? !one->padded : strcmp(mode, "wait") || one->size < 255;
}
static const struct wide *tried(const struct wide *all, int count, int n) {
    for (int i = 0; i < count; i++)
        if (is_tried(&all[i]) && n-- == 0)
            return &all[i];
    return NULL;
}

static int wide_main(const struct wide *all, int count, int argc, char **argv) {
    pthread_t threads[2];
    int sizes = 0;
    mode = argv[1];
    weak = !strcmp(mode, "weak");
    while (tried(all, count, sizes) != NULL)
        sizes++;
    wide = tried(all, count, argc > 2 ? 0 : heddle_choose(sizes));
    while (argc > 2 && wide->size != atoi(argv[2]))
        wide++;
    wide->store(0, 5);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int left = wide->load(5);
    if (!strcmp(mode, "lost") || !strcmp(mode, "strong") || !strcmp(mode, "weak"))
        assert(argc <= 2 && !strcmp(mode, "lost") ? left == 1 || left == 2 : left == 2);
    if (!strcmp(mode, "exchange"))
        assert(out[0] + out[1] + left == 3);
    return 0;
}
#endif
