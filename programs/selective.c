/* selective.c - n tasks send, and one task receives in an order of its own.
 *
 * The receiver takes M_1, then M_2, ... by pattern. So the order of the deliveries (n! traces) has
 * no effect, and the observers strategy needs only one execution.
 *
 * expect: verified
 * executions: 6
 *
 * n = 2: M_1 is sent and received, the second sender is created and sends: 4!/(2! 2!) orders. M_2
 * is received after all of that; only main's joins remain. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>

#include "size.h"

enum { SENDERS_MAX = 16 };

static int n;
static struct heddle_mailbox mailbox;

static bool is_number(void *message, void *wanted) {
    return message == wanted;
}

static void *receiver(void *unused) {
    (void)unused;
    for (int i = 1; i <= n; i++)
        heddle_receive_if(&mailbox, is_number, (void *)(intptr_t)i);
    return NULL;
}

static void *sender(void *number) {
    heddle_send(&mailbox, number);
    return NULL;
}

int main(int argc, char **argv) {
    n = size_argument(argc, argv, 2, SENDERS_MAX);
    pthread_t threads[SENDERS_MAX + 1];

    pthread_create(&threads[0], NULL, receiver, NULL);
    for (int i = 1; i <= n; i++)
        pthread_create(&threads[i], NULL, sender, (void *)(intptr_t)i);
    for (int i = 0; i <= n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
