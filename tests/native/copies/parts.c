/* parts.c - under --races=explore, a large copy or comparison is several operations. They must not
 * be taken for rounds of a loop that waits.
 *
 * `parts SIZE`: two threads copy and compare SIZE bytes, one after the other. A mutex orders all
 * accesses: 2 executions, and the program ends.
 * `parts SIZE waits [never]`: one thread compares until the last byte differs. The other thread
 * writes this byte, or never does. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_USED = 4096 };
static char a[SIZE_MAX_USED], b[SIZE_MAX_USED];
static size_t size;
static int differences;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *copy_and_compare(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    memcpy(a, b, size);
    differences += memcmp(a, b, size) != 0;
    differences += strcmp(a, a) != 0; /* reads the same bytes twice */
    memmove(b, a, size);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *wait_for_difference(void *unused) {
    (void)unused;
    while (memcmp(a, b, size) == 0)
        __asm__ volatile("" ::: "memory"); /* makes each round compare again */
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread;
    size = strtoul(argv[1], NULL, 10);
    pthread_create(&thread, NULL, argc > 2 ? wait_for_difference : copy_and_compare, NULL);
    if (argc == 2)
        copy_and_compare(NULL);
    else if (argc == 3)
        a[size - 1] = 1;
    pthread_join(thread, NULL);
    return differences;
}
