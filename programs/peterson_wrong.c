/* peterson_wrong.c - Peterson's lock for two threads, with its first two lines exchanged.
 *
 * If a thread says "you first" before it says "I want", the other thread may not see its wish in
 * time.
 *
 * expect: bug assertion
 * counts: vary; a temporary of the compiler may make the first round of the loop another one */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn, inside;

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;
    atomic_store(&turn, other);
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        continue;
    heddle_assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], false);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, (void *)(intptr_t)0);
    worker((void *)(intptr_t)1);
    pthread_join(thread, NULL);
    return 0;
}
