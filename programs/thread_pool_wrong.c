/* thread_pool_wrong.c - a pool of threads that is closed by a signal, which wakes only one of them.
 *
 * Both workers wait, and all tasks are done. The pool is closed, and one worker wakes up and
 * leaves. The other one sleeps on, and main waits for it.
 *
 * expect: bug deadlock
 *
 * The argument is the number of workers. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>

#include "size.h"

enum { TASKS = 2, WORKERS_MAX = 8 };

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int tasks[TASKS];
    int first, end;
    bool closed;
    pthread_t workers[WORKERS_MAX];
};

static struct pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};
static int done[TASKS]; /* each entry is written by the worker that took the task */

static void *worker(void *argument) {
    struct pool *p = argument;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->first == p->end && !p->closed)
            pthread_cond_wait(&p->changed, &p->lock);
        if (p->first == p->end)
            break;
        int task = p->tasks[p->first++];
        pthread_mutex_unlock(&p->lock);
        done[task]++;
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void submit(struct pool *p, int task) {
    pthread_mutex_lock(&p->lock);
    p->tasks[p->end++] = task;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void shut_down(struct pool *p, int workers) {
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < workers; i++)
        pthread_join(p->workers[i], NULL);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, WORKERS_MAX);
    for (int i = 0; i < n; i++)
        pthread_create(&pool.workers[i], NULL, worker, &pool);
    for (int task = 0; task < TASKS; task++)
        submit(&pool, task);
    shut_down(&pool, n);
    for (int task = 0; task < TASKS; task++)
        heddle_assert(done[task] == 1);
    return 0;
}
