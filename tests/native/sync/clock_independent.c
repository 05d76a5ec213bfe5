/* clock_independent.c - clocks of tasks that know nothing of each other are not compared: an hour that one of them sleeps
 * does not pass for the other, whatever the order.
 *
 * The two threads touch different atomics, so no two operations of them depend on each other, and the optimal strategy
 * has one execution. A clock that depended on the order of all operations would be another one in the other order, which
 * that strategy would not try: dfs does, and the assertion holds there as well.
 *
 * expect: verified
 */
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
