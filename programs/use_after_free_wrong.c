/* use_after_free_wrong.c - a session is freed, and used again if the other thread comes later.
 *
 * Every access holds the lock, so there is no data race. Only the order is wrong.
 *
 * expect: bug heap-misuse
 * executions: 2
 *
 * One critical section each, in either order. */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int requests;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *session;

static void *handle_request(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    session->requests++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void close_session(void) {
    pthread_mutex_lock(&lock);
    free(session);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t thread;
    session = calloc(1, sizeof *session);
    pthread_create(&thread, NULL, handle_request, NULL);
    close_session();
    pthread_join(thread, NULL);
    return 0;
}
