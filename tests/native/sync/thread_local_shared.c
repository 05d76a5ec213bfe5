/* thread_local_shared.c - another thread may use a thread-local variable while the thread of this
 * variable exists.
 *
 * The thread waits for the semaphore that main posts after its access, so it cannot have ended
 * before.
 *
 * expect: verified */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static __thread int mine;
static __thread atomic_int counter;
static int *place;
static atomic_int *counted;
static sem_t ready, used;

static void *worker(void *unused) {
    mine = 1;
    place = &mine;
    counted = &counter;
    sem_post(&ready);
    sem_wait(&used);
    assert(mine == 2 && counter == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&used, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&ready);
    (*place)++;
    atomic_fetch_add(counted, 1);
    sem_post(&used);
    pthread_join(thread, NULL);
    return 0;
}
