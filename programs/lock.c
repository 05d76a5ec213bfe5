/* lock.c - a lock made of messages: a server and n clients.
 *
 * Each client sends `acquire`, waits for its `grant` and sends `release`. Each of n times, the
 * server takes an acquire, grants it and takes the release of that client. All messages to the
 * server go through its one mailbox. There are (2n)!/(n+1)! orders of delivery (n! orders of the
 * clients times the n-th Catalan number). Observers need only n! of them, one for each order of the
 * grants.
 *
 * expect: verified
 * executions: 393
 *
 * n = 2. This number is a snapshot: counted by an exhaustive enumeration, not derived. */
#include <heddle/heddle.h>
#include <pthread.h>

#include "size.h"

enum { CLIENTS_MAX = 16 };

struct message {
    bool is_acquire;
    struct client *sender; /* borrowed */
};

struct client {
    struct heddle_mailbox grants;
    struct message acquire, release;
};

static int n;
static struct heddle_mailbox server_mailbox;
static struct client clients[CLIENTS_MAX];

static bool is_acquire(void *message, void *unused) {
    (void)unused;
    return ((const struct message *)message)->is_acquire;
}

static bool is_release_of(void *message, void *client) {
    const struct message *m = message;
    return !m->is_acquire && m->sender == client;
}

static void *server(void *unused) {
    (void)unused;
    for (int i = 0; i < n; i++) {
        struct message *acquire = heddle_receive_if(&server_mailbox, is_acquire, NULL);
        heddle_send(&acquire->sender->grants, acquire);
        heddle_receive_if(&server_mailbox, is_release_of, acquire->sender);
    }
    return NULL;
}

static void *client(void *argument) {
    struct client *self = argument;
    heddle_send(&server_mailbox, &self->acquire);
    heddle_receive(&self->grants);
    heddle_send(&server_mailbox, &self->release);
    return NULL;
}

int main(int argc, char **argv) {
    n = size_argument(argc, argv, 2, CLIENTS_MAX);
    pthread_t server_thread, threads[CLIENTS_MAX];

    for (int i = 0; i < n; i++) {
        clients[i].acquire = (struct message){.is_acquire = true, .sender = &clients[i]};
        clients[i].release = (struct message){.is_acquire = false, .sender = &clients[i]};
    }
    pthread_create(&server_thread, NULL, server, NULL);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, client, &clients[i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_join(server_thread, NULL);
    return 0;
}
