/* mailbox_right.c - two senders, one mailbox, and a receiver that asks for the greeting first.
 *
 * expect: verified
 * executions: 5
 *
 * The greeting is sent before or after the second create, the data after it. The first receive
 * comes after both, the second one last. Of the 4!/(2! 2!) orders of (greeting, receive) and
 * (create, data), the one with the receive before the create is impossible. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static struct heddle_mailbox mailbox;
static char greeting[] = "hello", data[] = "data";

static bool is(void *message, void *wanted) {
    return message == wanted;
}

static void *sender(void *message) {
    heddle_send(&mailbox, message);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, sender, greeting);
    pthread_create(&second, NULL, sender, data);
    void *message = heddle_receive_if(&mailbox, is, greeting);
    heddle_assert(message == greeting);
    message = heddle_receive(&mailbox);
    heddle_assert(message == data);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
