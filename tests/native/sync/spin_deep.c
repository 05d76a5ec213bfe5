/* A polling loop whose test is a function with frames of its own, at every level of optimisation.
 * What the tool's own frames leave on the stack must not look like progress.
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int done;

static __attribute__((noinline)) int look(int depth) {
    volatile char room[40];
    room[3] = (char)depth;
    return depth > 0 ? look(depth - 1) + room[3] * 0 : atomic_load(&turn);
}

static __attribute__((noinline)) int try_it(void) {
    int seen[7];
    seen[2] = look(3);
    if (seen[2] == 0)
        return 0;
    if (pthread_mutex_trylock(&lock) != 0)
        return 0;
    seen[5] = done;
    pthread_mutex_unlock(&lock);
    return seen[5];
}

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    atomic_store(&turn, 1);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!try_it())
        sched_yield();
    pthread_join(thread, NULL);
    return 0;
}
