/* ticket_lock_wrong.c - a ticket lock that calls the newest number instead of the next one.
 *
 * If another thread has taken a number in the meantime, that number is skipped, and the thread
 * waits forever.
 *
 * expect: bug livelock
 * counts: vary; a temporary of the compiler may make the first round of the loop another one */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static unsigned acquire(void) {
    unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != ticket)
        continue;
    return ticket;
}

static void release(unsigned ticket) {
    (void)ticket;
    atomic_store(&now_serving, atomic_load(&next_ticket));
}

static void *worker(void *unused) {
    (void)unused;
    unsigned ticket = acquire();
    counter++;
    release(ticket);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    heddle_assert(counter == 2);
    return 0;
}
