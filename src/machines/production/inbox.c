/* inbox.c - see inbox.h. */
#include "machines/production/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "machines/production/census.h"
#include "machines/production/runner.h"

void inbox_init(struct inbox *inbox) {
    *inbox = (struct inbox){0};
    pthread_mutex_init(&inbox->lock, NULL);
    pthread_cond_init(&inbox->arrived, NULL);
    pthread_cond_init(&inbox->taken, NULL);
}

static void forget_all(struct inbox *inbox) {
    for (struct message *message = inbox->first, *next; message != NULL; message = next) {
        next = message->next;
        free(message);
    }
    inbox->first = inbox->last = NULL;
    inbox->length = 0;
}

void inbox_destroy(struct inbox *inbox) {
    forget_all(inbox);
    pthread_mutex_destroy(&inbox->lock);
    pthread_cond_destroy(&inbox->arrived);
    pthread_cond_destroy(&inbox->taken);
}

/* --- the machine ---------------------------------------------------------------------------- */

/* All senders that wait for room look again, because their bounds differ. */
static void wake_senders(struct inbox *inbox) {
    if (inbox->blocked == 0)
        return;
    census_busy(inbox->blocked);
    inbox->blocked = 0;
    inbox->turn++;
    pthread_cond_broadcast(&inbox->taken);
}

static struct message *take_out(struct inbox *inbox, struct message *before) {
    struct message *message = before != NULL ? before->next : inbox->first;
    if (before != NULL)
        before->next = message->next;
    else
        inbox->first = message->next;
    if (message->next == NULL)
        inbox->last = before;
    inbox->length--;
    return message;
}

static struct message *take_first(struct inbox *inbox, inbox_likes *likes, const void *context) {
    struct message *before = NULL;
    for (struct message *message = inbox->first; message != NULL; message = message->next) {
        if (likes(context, message->content.event))
            return take_out(inbox, before);
        before = message;
    }
    return NULL;
}

struct message *inbox_take(struct inbox *inbox, inbox_likes *likes, const void *context) {
    struct message *message;
    pthread_mutex_lock(&inbox->lock);
    while ((message = take_first(inbox, likes, context)) == NULL && !inbox->over) {
        inbox->likes = likes;
        inbox->context = context;
        inbox->waits = true;
        census_rest();
        while (inbox->waits && !inbox->over)
            pthread_cond_wait(&inbox->arrived, &inbox->lock);
    }
    if (message != NULL)
        wake_senders(inbox);
    pthread_mutex_unlock(&inbox->lock);
    return message;
}

void inbox_halt(struct inbox *inbox) {
    pthread_mutex_lock(&inbox->lock);
    inbox->halted = true;
    forget_all(inbox);
    wake_senders(inbox);
    pthread_mutex_unlock(&inbox->lock);
}

/* --- senders -------------------------------------------------------------------------------- */

static void wait_for_room(struct inbox *inbox) {
    uint32_t turn = inbox->turn;
    inbox->blocked++;
    census_rest();
    while (inbox->turn == turn && !inbox->over)
        pthread_cond_wait(&inbox->taken, &inbox->lock);
}

enum inbox_room inbox_lock(struct inbox *inbox, uint32_t bound, bool waits) {
    pthread_mutex_lock(&inbox->lock);
    while (waits && inbox->length >= bound && !inbox->halted && !inbox->over)
        wait_for_room(inbox);
    if (inbox->over)
        return INBOX_OVER;
    if (inbox->halted)
        return INBOX_HALTED;
    return inbox->length < bound ? INBOX_ROOM : INBOX_FULL;
}

static struct message *make(const struct machine_event *event, machine_id sender,
                            const void *payload) {
    struct message *message = production_allocate(sizeof *message + event->size);
    message->content = (struct machine_message){event, sender, message->payload};
    memcpy(message->payload, payload, event->size);
    return message;
}

void inbox_put(struct inbox *inbox, const struct machine_event *event, machine_id sender,
               const void *payload) {
    struct message *message = make(event, sender, payload);
    if (inbox->last != NULL)
        inbox->last->next = message;
    else
        inbox->first = message;
    inbox->last = message;
    inbox->length++;
    if (inbox->waits && inbox->likes(inbox->context, event)) {
        inbox->waits = false;
        census_busy(1);
        pthread_cond_signal(&inbox->arrived);
    }
}

void inbox_unlock(struct inbox *inbox) {
    pthread_mutex_unlock(&inbox->lock);
}

void inbox_close(struct inbox *inbox) {
    pthread_mutex_lock(&inbox->lock);
    inbox->over = true;
    pthread_cond_signal(&inbox->arrived);
    pthread_cond_broadcast(&inbox->taken);
    pthread_mutex_unlock(&inbox->lock);
}
