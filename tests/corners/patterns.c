/* patterns.c - textbook algorithms, right and wrong. */
#include "corner.h"
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int wants[2], turn, head, tail;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void enter_peterson(int me) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
}

THREAD(peterson_zero) {
    enter_peterson(0);
    data++;
    atomic_store(&wants[0], 0);
    return NULL;
}

THREAD(peterson_one) {
    enter_peterson(1);
    data++;
    atomic_store(&wants[1], 0);
    return NULL;
}

/* expect: verified
 * Peterson's lock with sequentially consistent atomics. */
PROGRAM(pattern_peterson) {
    both(peterson_zero, peterson_one);
    assert(data == 2);
    return 0;
}

static void enter_without_turn(int me) {
    while (atomic_load(&wants[1 - me])) {
    }
    atomic_store(&wants[me], 1);
}

THREAD(without_turn_zero) {
    enter_without_turn(0);
    data++;
    atomic_store(&wants[0], 0);
    return NULL;
}

THREAD(without_turn_one) {
    enter_without_turn(1);
    data++;
    atomic_store(&wants[1], 0);
    return NULL;
}

/* expect: bug data-race
 * Each thread first tests the other's flag, then sets its own. Both may test before either sets. */
PROGRAM(pattern_look_then_want) {
    both(without_turn_zero, without_turn_one);
    return 0;
}

THREAD(insist_zero) {
    atomic_store(&wants[0], 1);
    while (atomic_load(&wants[1])) {
    }
    data++;
    atomic_store(&wants[0], 0);
    return NULL;
}

THREAD(insist_one) {
    atomic_store(&wants[1], 1);
    while (atomic_load(&wants[0])) {
    }
    data++;
    atomic_store(&wants[1], 0);
    return NULL;
}

/* expect: bug livelock
 * Each thread first sets its own flag, then tests the other's. Both may set, and then both wait
 * for ever. */
PROGRAM(pattern_want_then_look) {
    both(insist_zero, insist_one);
    return 0;
}

static int *lazy;
static _Atomic(int *) lazy_atomic;

THREAD(double_checked_plain) {
    if (lazy == NULL) {
        OK(pthread_mutex_lock(&mutex));
        if (lazy == NULL) {
            lazy = &data;
        }
        OK(pthread_mutex_unlock(&mutex));
    }
    return NULL;
}

/* expect: bug data-race
 * Double-checked locking: the first test is not ordered after the store. */
PROGRAM(pattern_double_checked_plain) {
    both(double_checked_plain, double_checked_plain);
    return 0;
}

THREAD(double_checked_atomic) {
    int *now = atomic_load_explicit(&lazy_atomic, memory_order_acquire);
    if (now == NULL) {
        OK(pthread_mutex_lock(&mutex));
        now = atomic_load_explicit(&lazy_atomic, memory_order_relaxed);
        if (now == NULL) {
            data = 5;
            now = &data;
            atomic_store_explicit(&lazy_atomic, now, memory_order_release);
        }
        OK(pthread_mutex_unlock(&mutex));
    }
    assert(*now == 5);
    return NULL;
}

/* expect: verified
 * Double-checked locking with acquire and release is right. */
PROGRAM(pattern_double_checked_atomic) {
    both(double_checked_atomic, double_checked_atomic);
    return 0;
}

static atomic_int sequence, left, right;

THREAD(seqlock_write) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

THREAD(seqlock_read) {
    int before = atomic_load(&sequence);
    int one = atomic_load(&left), two = atomic_load(&right);
    if (before % 2 == 0 && atomic_load(&sequence) == before) {
        assert(one == two);
    }
    return NULL;
}

/* expect: verified
 * A sequence lock: the values that were read count only if no writer was active. */
PROGRAM(pattern_sequence_lock) {
    both(seqlock_write, seqlock_read);
    return 0;
}

THREAD(seqlock_read_carelessly) {
    int before = atomic_load(&sequence);
    int one = atomic_load(&left), two = atomic_load(&right);
    if (before % 2 == 0) {
        assert(one == two);
    }
    return NULL;
}

/* expect: bug assertion
 * The reader does not test the sequence number a second time. */
PROGRAM(pattern_sequence_lock_unchecked) {
    both(seqlock_write, seqlock_read_carelessly);
    return 0;
}

struct node {
    struct node *next;
};
static struct node nodes[2];
static _Atomic(struct node *) top;

static void push(struct node *node) {
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

THREAD(push_first) {
    push(&nodes[0]);
    return NULL;
}

THREAD(push_second) {
    push(&nodes[1]);
    return NULL;
}

/* expect: verified
 * Two pushes on Treiber's stack keep both nodes. */
PROGRAM(pattern_treiber_push) {
    both(push_first, push_second);
    struct node *node = atomic_load(&top);
    assert(node != NULL && node->next != NULL && node->next->next == NULL);
    return 0;
}

static void push_by_store(struct node *node) {
    node->next = atomic_load(&top);
    atomic_store(&top, node);
}

THREAD(store_first) {
    push_by_store(&nodes[0]);
    return NULL;
}

THREAD(store_second) {
    push_by_store(&nodes[1]);
    return NULL;
}

/* expect: bug assertion
 * With a store instead of the compare-exchange, one node may be lost. */
PROGRAM(pattern_treiber_push_by_store) {
    both(store_first, store_second);
    struct node *node = atomic_load(&top);
    assert(node->next != NULL);
    return 0;
}

static int ring[2];

THREAD(produce_two) {
    for (int i = 0; i < 2; i++) {
        int at = atomic_load_explicit(&tail, memory_order_relaxed);
        while (at - atomic_load_explicit(&head, memory_order_acquire) == 1) {
        }
        ring[at % 2] = i + 1;
        atomic_store_explicit(&tail, at + 1, memory_order_release);
    }
    return NULL;
}

THREAD(consume_two) {
    for (int i = 0; i < 2; i++) {
        int at = atomic_load_explicit(&head, memory_order_relaxed);
        while (atomic_load_explicit(&tail, memory_order_acquire) == at) {
        }
        assert(ring[at % 2] == i + 1);
        atomic_store_explicit(&head, at + 1, memory_order_release);
    }
    return NULL;
}

/* expect: verified
 * A ring for one producer and one consumer. */
PROGRAM(pattern_ring) {
    both(produce_two, consume_two);
    return 0;
}

THREAD(produce_too_early) {
    int at = atomic_load(&tail);
    atomic_store(&tail, at + 1);
    ring[at % 2] = 1;
    return NULL;
}

THREAD(consume_one) {
    while (atomic_load(&tail) == 0) {
    }
    assert(ring[0] == 1);
    return NULL;
}

/* expect: bug data-race
 * The index moves before the slot is written. */
PROGRAM(pattern_ring_published_early) {
    both(produce_too_early, consume_one);
    return 0;
}

static atomic_int references = 2;
static int *object;

THREAD(drop_reference) {
    assert(*object == 3);
    if (atomic_fetch_sub_explicit(&references, 1, memory_order_acq_rel) == 1) {
        free(object);
    }
    return NULL;
}

/* expect: verified
 * executions: 2
 * Counted references: the thread that drops the last one frees the object. Two orders. */
PROGRAM(pattern_reference_count) {
    object = malloc(sizeof *object);
    *object = 3;
    both(drop_reference, drop_reference);
    return 0;
}

THREAD(drop_reference_relaxed) {
    assert(*object == 3);
    if (atomic_fetch_sub_explicit(&references, 1, memory_order_relaxed) == 1) {
        free(object);
    }
    return NULL;
}

/* expect: bug data-race
 * With relaxed operations, the read of one thread is not ordered before the free of the other. */
PROGRAM(pattern_reference_count_relaxed) {
    object = malloc(sizeof *object);
    *object = 3;
    both(drop_reference_relaxed, drop_reference_relaxed);
    return 0;
}

THREAD(drop_reference_in_two_steps) {
    atomic_fetch_sub(&references, 1);
    if (atomic_load(&references) == 0) {
        free(object);
    }
    return NULL;
}

/* expect: bug heap-misuse
 * Both threads may see 0, and then both free. */
PROGRAM(pattern_reference_count_in_two_steps) {
    object = malloc(sizeof *object);
    both(drop_reference_in_two_steps, drop_reference_in_two_steps);
    return 0;
}

static atomic_int next_ticket, serving;

THREAD(ticket_lock) {
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
    }
    data++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return NULL;
}

/* expect: verified
 * A ticket lock: each thread waits for its number. */
PROGRAM(pattern_ticket_lock) {
    both(ticket_lock, ticket_lock);
    assert(data == 2);
    return 0;
}

THREAD(ticket_lock_kept) {
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine) {
    }
    data++;
    return NULL;
}

/* expect: bug livelock
 * The first thread does not call the next number. */
PROGRAM(pattern_ticket_lock_kept) {
    both(ticket_lock_kept, ticket_lock_kept);
    return 0;
}

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int seats[3] = {0, 1, 2};

static void dine(int low, int high) {
    OK(pthread_mutex_lock(&forks[low]));
    OK(pthread_mutex_lock(&forks[high]));
    OK(pthread_mutex_unlock(&forks[high]));
    OK(pthread_mutex_unlock(&forks[low]));
}

THREAD(left_handed) {
    int seat = *(int *)argument;
    dine(seat, (seat + 1) % 3);
    return NULL;
}

THREAD(ordered) {
    int seat = *(int *)argument;
    dine(seat == 2 ? 0 : seat, seat == 2 ? 2 : seat + 1);
    return NULL;
}

static void dinner(void *(*philosopher)(void *)) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        threads[i] = spawn(philosopher, &seats[i]);
    }
    for (int i = 0; i < 3; i++) {
        join(threads[i]);
    }
}

/* expect: bug deadlock
 * All philosophers take their left fork first. */
PROGRAM(pattern_philosophers) {
    dinner(left_handed);
    return 0;
}

/* expect: verified
 * All philosophers take the fork with the lower number first. */
PROGRAM(pattern_philosophers_in_order) {
    dinner(ordered);
    return 0;
}
