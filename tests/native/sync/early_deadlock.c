/* early_deadlock.c - a constructor locks a mutex, and main waits for a thread that wants it.
 *
 * Main holds the mutex from before its start, and never unlocks it. So the thread can never move,
 * and main waits for its end. With dfs, main locks (the constructor did so), creates, and stands
 * before the join, while the thread stands before its lock. No task has a choice: one execution.
 *
 * expect: bug deadlock
 * executions: 1
 * findings: 1 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    pthread_mutex_lock(&mutex);
}

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
