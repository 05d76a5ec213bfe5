/* queue_wrong.c - a bounded queue for many threads: a mutex and two condition variables.
 *
 * One word is wrong here, and yet the test passes nearly always: `if` in take(). After the signal,
 * the woken consumer must get the mutex again. Before it does, the other consumer may have come in
 * and taken the item.
 *
 * expect: bug assertion */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { CAPACITY = 1, CONSUMERS = 2 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[CAPACITY];
    int first, count;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->first + q->count++) % CAPACITY] = item;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    if (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    heddle_assert(q->count > 0);
    int item = q->items[q->first];
    q->first = (q->first + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *producer(void *unused) {
    (void)unused;
    for (int item = 1; item <= CONSUMERS; item++)
        put(&queue, item);
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    return (void *)(intptr_t)take(&queue);
}

int main(void) {
    pthread_t producer_thread, consumers[CONSUMERS];
    intptr_t sum = 0;

    pthread_create(&producer_thread, NULL, producer, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consumer, NULL);
    for (int i = 0; i < CONSUMERS; i++) {
        void *item;
        pthread_join(consumers[i], &item);
        sum += (intptr_t)item;
    }
    pthread_join(producer_thread, NULL);
    heddle_assert(sum == 1 + 2);
    return 0;
}
