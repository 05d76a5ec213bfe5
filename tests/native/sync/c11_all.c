/* All of <threads.h>, with its own result codes.
 * expect: verified */
#include <heddle/heddle.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int value, once_calls, destroyed;
static mtx_t plain;

static void destructor(void *data) {
    (void)data;
    destroyed++;
}

static void routine(void) {
    once_calls++;
}

static int worker(void *argument) {
    heddle_assert(argument == &value);
    call_once(&once, routine);
    heddle_assert(tss_get(key) == NULL && tss_set(key, &value) == thrd_success);
    heddle_assert(tss_get(key) == &value);
    heddle_assert(mtx_trylock(&plain) == thrd_busy);
    mtx_lock(&lock);
    mtx_lock(&lock);
    value = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    thrd_exit(7);
}

static void alone(void) {
    struct timespec late = {2000000000, 0}, moment = {0, 1000};
    heddle_assert(mtx_init(&plain, mtx_timed) == thrd_success);
    heddle_assert(mtx_init(&lock, 99) == thrd_error);
    heddle_assert(mtx_init(&lock, mtx_timed | mtx_recursive) == thrd_success);
    heddle_assert(cnd_init(&changed) == thrd_success);
    heddle_assert(tss_create(&key, destructor) == thrd_success);
    heddle_assert(mtx_timedlock(&plain, &late) == thrd_success);
    heddle_assert(mtx_timedlock(&plain, &late) == thrd_timedout);
    heddle_assert(mtx_lock(&lock) == thrd_success);
    heddle_assert(cnd_timedwait(&changed, &lock, &late) == thrd_timedout);
    heddle_assert(mtx_unlock(&lock) == thrd_success);
    heddle_assert(mtx_unlock(&lock) == thrd_error);
    heddle_assert(thrd_sleep(&moment, NULL) == 0);
    thrd_yield();
}

int main(void) {
    thrd_t thread;
    int result;
    alone();
    heddle_assert(thrd_create(&thread, worker, &value) == thrd_success);
    heddle_assert(!thrd_equal(thread, thrd_current()));
    call_once(&once, routine);
    mtx_lock(&lock);
    while (value == 0)
        heddle_assert(cnd_wait(&changed, &lock) == thrd_success);
    mtx_unlock(&lock);
    heddle_assert(thrd_join(thread, &result) == thrd_success && result == 7);
    heddle_assert(once_calls == 1 && destroyed == 1);
    mtx_unlock(&plain);
    mtx_destroy(&plain);
    mtx_destroy(&lock);
    cnd_destroy(&changed);
    tss_delete(key);
    return 0;
}
