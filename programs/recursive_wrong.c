/* recursive_wrong.c - a function that locks calls another one that locks the same mutex.
 *
 * With a normal mutex, the owner waits for itself.
 *
 * expect: bug deadlock
 * executions: 2
 *
 * Either thread may be the one that holds the lock and waits for it. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int balance, changes;

static void count_change(void) {
    pthread_mutex_lock(&lock);
    changes++;
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    balance += 10;
    count_change();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&lock, &attributes);

    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(thread, NULL);
    heddle_assert(balance == 20 && changes == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
