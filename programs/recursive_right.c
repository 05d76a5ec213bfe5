/* recursive_right.c - a function that locks calls another one that locks: a recursive mutex allows
 * this.
 *
 * expect: verified
 * executions: 2
 *
 * The outer locks exclude each other: one thread after the other, in either order. */
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
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);

    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(thread, NULL);
    heddle_assert(balance == 20 && changes == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
