/* mailbox_wrong.c - two senders, one mailbox, and a receiver that takes the first message as the
 * greeting.
 *
 * expect: bug assertion
 * executions: 7
 *
 * If the data comes first, main fails after the first receive; the greeting is delivered before the
 * receive, between the receive and the failure, or not at all: 3 orders. If the greeting comes
 * first, it is delivered before or after the second create, and the data before or after the first
 * receive: 4 orders. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static struct heddle_mailbox mailbox;
static char greeting[] = "hello", data[] = "data";

static void *sender(void *message) {
    heddle_send(&mailbox, message);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, sender, greeting);
    pthread_create(&second, NULL, sender, data);
    void *message = heddle_receive(&mailbox);
    heddle_assert(message == greeting);
    message = heddle_receive(&mailbox);
    heddle_assert(message == data);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
