/* senders.c - three senders and one mailbox: the first message decides. */
#include <pthread.h>

#include <heddle/heddle.h>

static struct heddle_mailbox mailbox;
static char letters[] = "abc";

static void *send_letter(void *letter) {
    heddle_note("about to send");
    heddle_send(&mailbox, letter);
    return letter;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, send_letter, &letters[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    char *first = heddle_receive(&mailbox);
    heddle_receive(&mailbox);
    heddle_assert(first == letters);
}
