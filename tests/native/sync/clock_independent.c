/* clock_independent.c - the clocks of tasks that know nothing of each other are independent. If one
 * of them sleeps an hour, no time passes for the other, in any order.
 *
 * The two threads touch different atomics, so none of their operations depend on each other, and
 * the optimal strategy has one execution. A clock that depended on the order of all operations
 * would show another time in the other order. The optimal strategy would not try this order, but
 * dfs does, and the assertion holds there too.
 *
 * expect: verified */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int mine, yours;

static void *sleeper(void *unused) {
    sleep(3600);
    atomic_store(&mine, 1);
    return unused;
}

static void *reader(void *unused) {
    time_t before = time(NULL);
    atomic_store(&yours, 1);
    assert(time(NULL) - before < 60);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sleeper, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
