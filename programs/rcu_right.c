/* rcu_right.c - read, copy, update: a new version is published, and the old one is freed after a
 * grace period.
 *
 * Readers take no lock. Each reader counts its read sections; an odd count means that it is inside
 * one. After the writer has published the new version, it waits until every reader that is inside a
 * section has left it. A reader that enters later finds the new version.
 *
 * expect: verified
 *
 * The argument is the number of readers. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#include "size.h"

enum { READERS_MAX = 8, READS = 2 };

struct config {
    int width, area; /* area is the square of width */
};

static struct config *_Atomic current;
static atomic_uint sections[READERS_MAX];
static int n;

static struct config *new_config(int width) {
    struct config *config = malloc(sizeof *config);
    config->width = width;
    config->area = width * width;
    return config;
}

static void *reader(void *argument) {
    atomic_uint *section = argument;
    for (int i = 0; i < READS; i++) {
        atomic_fetch_add(section, 1);
        struct config *config = atomic_load(&current);
        heddle_assert(config->area == config->width * config->width);
        atomic_fetch_add(section, 1);
    }
    return NULL;
}

static void wait_for_readers(void) {
    for (int i = 0; i < n; i++) {
        unsigned seen = atomic_load(&sections[i]);
        while (seen % 2 != 0 && atomic_load(&sections[i]) == seen)
            continue;
    }
}

static void update(int width) {
    struct config *old = atomic_exchange(&current, new_config(width));
    wait_for_readers();
    free(old);
}

int main(int argc, char **argv) {
    n = size_argument(argc, argv, 1, READERS_MAX);
    pthread_t threads[READERS_MAX];

    atomic_store(&current, new_config(1));
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, reader, &sections[i]);
    update(2);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&current));
    return 0;
}
