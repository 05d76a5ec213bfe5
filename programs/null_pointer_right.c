/* null_pointer_right.c - main sets a pointer before it starts the thread that uses the pointer.
 *
 * expect: verified
 * executions: 1
 *
 * Store, create, load, join: only one order is possible. */
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
    atomic_store(&current, &table);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return 0;
}
