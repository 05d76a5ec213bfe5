/* stub.c - see stub.h. One global lock serves all mailboxes; their speed does not matter. */
#define _GNU_SOURCE
#include "stub/stub.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

struct message {
    struct message *next;
    void *content;
};

int stub_choose(int count) {
    return count > 1 ? rand() % count : 0;
}

/* This run is of no interest, so it ends with success. */
_Noreturn void stub_assume(void) {
    exit(0);
}

_Noreturn void stub_assertion_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: heddle_assert(%s) failed\n", file, line, condition);
    abort();
}

void stub_yield(void) {
    sched_yield();
}

void stub_atomic_begin(void) {
    pthread_mutex_lock(&section);
}

void stub_atomic_end(void) {
    pthread_mutex_unlock(&section);
}

/* Mailbox: opaque[0] is the first message, opaque[1] the last. */
void stub_send(struct heddle_mailbox *mailbox, void *content) {
    struct message *message = malloc(sizeof *message);
    if (message == NULL)
        abort();
    *message = (struct message){.content = content};
    pthread_mutex_lock(&lock);
    if (mailbox->opaque[0] == 0)
        mailbox->opaque[0] = (unsigned long)message;
    else
        ((struct message *)mailbox->opaque[1])->next = message;
    mailbox->opaque[1] = (unsigned long)message;
    pthread_cond_broadcast(&arrived);
    pthread_mutex_unlock(&lock);
}

/* Takes out the first message that matches; the lock is held. */
static bool take(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context,
                 void **content) {
    struct message *before = NULL, *message = (struct message *)mailbox->opaque[0];
    while (message != NULL && predicate != NULL && !predicate(message->content, context)) {
        before = message;
        message = message->next;
    }
    if (message == NULL)
        return false;
    if (before != NULL)
        before->next = message->next;
    else
        mailbox->opaque[0] = (unsigned long)message->next;
    if (message->next == NULL)
        mailbox->opaque[1] = (unsigned long)before;
    *content = message->content;
    free(message);
    return true;
}

void *stub_receive(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context) {
    void *content;
    pthread_mutex_lock(&lock);
    while (!take(mailbox, predicate, context, &content))
        pthread_cond_wait(&arrived, &lock);
    pthread_mutex_unlock(&lock);
    return content;
}

bool stub_try_receive(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context,
                      void **message) {
    pthread_mutex_lock(&lock);
    bool taken = take(mailbox, predicate, context, message);
    pthread_mutex_unlock(&lock);
    return taken;
}
