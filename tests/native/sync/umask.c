/* umask.c - the file mode mask and the working directory are put back between executions.
 *
 * Main must not find what an earlier execution left: the mask 077 and the directory /. The test is
 * never started with either of them. The two stores come in both orders, so there is more than one
 * execution.
 *
 * expect: verified */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int order;

static void *worker(void *argument) {
    order = argument != NULL;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    char folder[PATH_MAX];
    assert(umask(022) != 077); /* the mask that an earlier execution left */
    assert(umask(027) == 022 && umask(077) == 027);
    assert(getcwd(folder, sizeof folder) != NULL && folder[1] != 0);
    assert(chdir("/") == 0);
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, threads);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
