/* A store to a new variable on the stack has no result that the task sees. What stood there before
 * may be left over from code of Heddle, and differs in the repetition that takes stacks.
 *
 * expect: bug assertion
 * findings: 1
 * complete: true
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { VARIABLES = 400 };

static atomic_int shared;
static int plain;

static __attribute__((noinline)) void fill(void) {
    atomic_int variables[VARIABLES];
    for (int i = 0; i < VARIABLES; i++)
        atomic_store(&variables[i], 0);
}

static void *work(void *unused) {
    plain++;
    atomic_fetch_add(&shared, 1);
    fill();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&shared) == 0);
    return 0;
}
