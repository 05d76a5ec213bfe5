/* abba_wrong.c - two locks, taken in opposite order: each thread may hold what the other needs.
 *
 * This is the smallest deadlock, and the most common one.
 *
 * expect: bug deadlock
 * executions: 6
 *
 * Say the thread takes its first lock. If main takes its own now, that is the deadlock. If the
 * thread takes both, main waits until the second is unlocked, and takes it before or after the
 * first is unlocked: 1 + 2 orders, and as many with main first. */
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
    pthread_mutex_lock(&savings_lock);
    pthread_mutex_lock(&checking_lock);
    savings -= 10;
    checking += 10;
    pthread_mutex_unlock(&checking_lock);
    pthread_mutex_unlock(&savings_lock);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, save, NULL);
    spend();
    pthread_join(thread, NULL);
    return 0;
}
