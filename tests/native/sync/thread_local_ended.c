/* thread_local_ended.c - a thread-local variable is used after the end of its thread, when its
 * storage is gone.
 *
 * The join orders the two accesses, so this is no data race. Main is alone when it reads: one
 * execution.
 *
 * expect: bug heap-misuse
 * executions: 1
 * findings: 1
 * text: read of a thread-local variable of a thread that has ended */
#include <pthread.h>

static __thread int mine;

static void *worker(void *unused) {
    (void)unused;
    mine = 0;
    return &mine;
}

int main(void) {
    pthread_t thread;
    void *theirs;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &theirs);
    return *(int *)theirs;
}
