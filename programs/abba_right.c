/* abba_right.c - two locks, which every thread takes in the same order.
 *
 * If all threads take the locks in one order, no cycle of waiting threads can arise.
 *
 * expect: verified
 * executions: 2
 *
 * The thread that takes the first lock keeps the other one out until it has finished: one after the
 * other, 2 orders. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t savings_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking_lock = PTHREAD_MUTEX_INITIALIZER;
static int savings = 100, checking = 100;

static void *save(void *unused) {
    (void)unused;
    pthread_mutex_lock(&checking_lock);
    pthread_mutex_lock(&savings_lock);
    checking -= 10;
    savings += 10;
    pthread_mutex_unlock(&savings_lock);
    pthread_mutex_unlock(&checking_lock);
    return NULL;
}

static void spend(void) {
    pthread_mutex_lock(&checking_lock);
    pthread_mutex_lock(&savings_lock);
    savings -= 10;
    checking += 10;
    pthread_mutex_unlock(&savings_lock);
    pthread_mutex_unlock(&checking_lock);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, save, NULL);
    spend();
    pthread_join(thread, NULL);
    return 0;
}
