/* use_after_free_right.c - a session is closed while another thread may still use it. The pointer
 * is set to NULL, and the other thread checks it.
 *
 * expect: verified
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
    if (session)
        session->requests++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void close_session(void) {
    pthread_mutex_lock(&lock);
    free(session);
    session = NULL;
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
