/* null_pointer_wrong.c - a pointer is set after the thread that follows it has started.
 *
 * expect: bug crash
 * executions: 3
 *
 * Main stores before the thread loads; or after it, before the crash; or not at all. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct table {
    int rows;
};

static struct table table = {.rows = 3};
static struct table *_Atomic current;

static void *reader(void *unused) {
    (void)unused;
    heddle_assert(atomic_load(&current)->rows == 3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&current, &table);
    pthread_join(thread, NULL);
    return 0;
}
