/* choose_right.c - a network that may deliver, lose or duplicate, and a message that may come
 * twice.
 *
 * Main sends again when nothing has arrived; receiving is idempotent.
 *
 * expect: verified
 * executions: 18
 *
 * Main looks and, where it looks before anything has arrived, stores. The thread chooses, and
 * stores once, never or twice. Never: 3!/(1! 2!) = 3 orders. Once: main looks after the store, 1,
 * or before it, 4!/(2! 2!) - 1 = 5. Twice: after the first store, 2, or before it,
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
