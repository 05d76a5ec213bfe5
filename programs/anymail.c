/* anymail.c - n tasks send different messages to one task, which receives a single one.
 *
 * Every order of the deliveries is a trace, so there are n! traces. The receiver sees only which
 * message came first, so the observers strategy needs only n executions.
 *
 * expect: verified
 * executions: 22
 *
 * n = 2: the two sends, the second create and the first join have 4!/(2! 2!) - 1 = 5 orders (the
 * join comes after its send and after the create); the second join follows. The receive can be
 * anywhere after the first send: at 5 places in the 2 orders that begin with a send, at 4 places in
 * the 3 orders that begin with the create. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>

#include "size.h"

enum { SENDERS_MAX = 16 };

static struct heddle_mailbox mailbox;

static void *receiver(void *unused) {
    (void)unused;
    return heddle_receive(&mailbox);
}

static void *sender(void *number) {
    heddle_send(&mailbox, number);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, SENDERS_MAX);
    pthread_t threads[SENDERS_MAX + 1];
    void *first;

    pthread_create(&threads[0], NULL, receiver, NULL);
    for (int i = 1; i <= n; i++)
        pthread_create(&threads[i], NULL, sender, (void *)(intptr_t)i);
    for (int i = 1; i <= n; i++)
        pthread_join(threads[i], NULL);
    pthread_join(threads[0], &first);
    heddle_assert(first != NULL);
    return 0;
}
