/* choose_right.c - a network that may deliver, lose or duplicate a message, and a receiver to which
 * this makes no difference.
 *
 * If nothing has arrived, main sends again. Receiving the message twice has the same effect as
 * once.
 *
 * expect: verified
 * executions: 18
 *
 * Main looks, and if nothing has arrived yet, it stores. The thread chooses, then stores once,
 * never or twice. Never: 3!/(1! 2!) = 3 orders. Once: main looks after the store, 1 order, or
 * before it, 4!/(2! 2!) - 1 = 5. Twice: main looks after the first store, 2 orders, or before it,
 * 5!/(3! 2!) - 3 = 7. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int received;

static void receive(void) {
    atomic_store(&received, 1);
}

static void *network(void *unused) {
    (void)unused;
    int copies = heddle_choose(3);
    for (int i = 0; i < copies; i++)
        receive();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, network, NULL);
    if (atomic_load(&received) == 0)
        receive();
    pthread_join(thread, NULL);
    heddle_assert(atomic_load(&received) == 1);
    return 0;
}
