/* spinlock_right.c - a counter behind a pthread spinlock.
 *
 * expect: verified
 * executions: 2
 *
 * Each of the two threads has one critical section. The sections run in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int counter;

static void *add_one(void *unused) {
    (void)unused;
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, add_one, NULL);
    add_one(NULL);
    pthread_join(thread, NULL);
    heddle_assert(counter == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
