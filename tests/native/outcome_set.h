/* outcome_set.h - a set of outcomes in a file, for random programs that are searched by two
 * strategies. The file is mapped before main and shared, so no reset of the program's memory touches
 * it. A program that is called with a number and a path adds to the set in that file. */
#ifndef NATIVE_OUTCOME_SET_H
#define NATIVE_OUTCOME_SET_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SET_SLOTS = 1 << 16 };

static uint64_t *set;

static uint64_t *map_set(const char *path, int flags) {
    int fd = open(path, flags, 0644);
    if (fd < 0 || ftruncate(fd, SET_SLOTS * sizeof *set) != 0)
        return NULL;
    void *at = mmap(NULL, SET_SLOTS * sizeof *set, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : (uint64_t *)at;
}

/* Not instrumented, because the set is not part of the explored program. */
__attribute__((no_sanitize("thread"))) static void set_add(uint64_t value) {
    uint64_t at = (value * 0x9e3779b97f4a7c15u) % SET_SLOTS;
    if (set == NULL)
        return;
    value |= 1;
    for (int tries = 0; tries < SET_SLOTS; tries++, at = (at + 1) % SET_SLOTS) {
        if (set[at] == value)
            return;
        if (set[at] == 0) {
            set[at] = value;
            return;
        }
    }
    abort();
}

static int in_set(const uint64_t *where, uint64_t value) {
    for (int i = 0; i < SET_SLOTS; i++)
        if (where[i] == value)
            return 1;
    return 0;
}

static int count_missing(const uint64_t *a, const uint64_t *b) {
    int missing = 0;
    for (int i = 0; i < SET_SLOTS; i++)
        if (a[i] != 0 && !in_set(b, a[i]))
            missing++;
    return missing;
}

static int compare(const char *first, const char *second) {
    const uint64_t *a = map_set(first, O_RDWR), *b = map_set(second, O_RDWR);
    if (a == NULL || b == NULL)
        return 2;
    int missing = count_missing(a, b), extra = count_missing(b, a);
    if (missing || extra)
        printf("%d only in %s, %d only in %s\n", missing, first, extra, second);
    return missing || extra;
}

/* The commands `compare A B` and `show SEED` of such a program. Returns the exit status, or -1 if the
 * program is to run. */
static int set_command(int argc, char **argv, int (*show)(uint64_t seed)) {
    if (argc == 4 && strcmp(argv[1], "compare") == 0)
        return compare(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "show") == 0)
        return show(strtoull(argv[2], NULL, 0));
    return argc == 3 ? -1 : 2;
}

static char *set_path;

__attribute__((constructor)) static void map_before_main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "show") != 0) {
        set_path = argv[2];
        set = map_set(set_path, O_RDWR | O_CREAT);
    }
}

#endif
