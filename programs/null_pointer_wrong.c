/* null_pointer_wrong.c - main sets a pointer after it has started the thread that uses the pointer.
 *
 * expect: bug crash
 * executions: 3
 *
 * Main stores before the thread loads; or after the load, before the crash; or not at all. */
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
