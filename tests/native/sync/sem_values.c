/* Values, errors and time-outs of semaphores. One of them was initialised before main.
 * expect: verified */
#include <errno.h>
#include <heddle/heddle.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

static sem_t early;

__attribute__((constructor)) static void before_main(void) {
    sem_init(&early, 0, 2);
}

static int value(sem_t *sem) {
    int value;
    heddle_assert(sem_getvalue(sem, &value) == 0);
    return value;
}

int main(void) {
    struct timespec deadline = {2000000000, 0}, bad = {0, 1000000000};
    sem_t sem;
    heddle_assert(value(&early) == 2);
    heddle_assert(sem_wait(&early) == 0 && sem_trywait(&early) == 0);
    heddle_assert(sem_trywait(&early) == -1 && errno == EAGAIN);
    heddle_assert(sem_timedwait(&early, &deadline) == -1 && errno == ETIMEDOUT);
    heddle_assert(time(NULL) >= 2000000000);
    heddle_assert(sem_timedwait(&early, &bad) == -1 && errno == EINVAL);
    heddle_assert(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    heddle_assert(sem_init(&sem, 0, SEM_VALUE_MAX) == 0);
    heddle_assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
    heddle_assert(sem_timedwait(&sem, &bad) == 0); /* no need to wait */
    heddle_assert(value(&sem) == SEM_VALUE_MAX - 1);
    heddle_assert(sem_destroy(&sem) == 0 && sem_destroy(&early) == 0);
    return 0;
}
