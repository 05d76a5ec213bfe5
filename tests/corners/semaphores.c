/* semaphores.c - unnamed semaphores of POSIX. */
#include "corner.h"
#include <semaphore.h>
#include <limits.h>

static sem_t semaphore, back;
static int data;

static void make(unsigned value) {
    OK(sem_init(&semaphore, 0, value));
    OK(sem_init(&back, 0, 0));
}

THREAD(add_inside) {
    OK(sem_wait(&semaphore));
    data++;
    OK(sem_post(&semaphore));
    return NULL;
}

/* expect: verified
 * executions: 2
 * A semaphore with one permit is a lock: two orders. */
PROGRAM(sem_as_mutex) {
    make(1);
    both(add_inside, add_inside);
    assert(data == 2);
    OK(sem_destroy(&semaphore));
    return 0;
}

/* expect: bug data-race
 * With two permits, both threads may be inside at once. */
PROGRAM(sem_with_two_permits) {
    make(2);
    both(add_inside, add_inside);
    return 0;
}

/* expect: bug deadlock
 * Without a permit, no thread ever comes in. */
PROGRAM(sem_without_permits) {
    make(0);
    both(add_inside, add_inside);
    return 0;
}

THREAD(write_and_post) {
    data = 1;
    OK(sem_post(&semaphore));
    return NULL;
}

THREAD(wait_and_read) {
    OK(sem_wait(&semaphore));
    assert(data == 1);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A post comes before the wait that it allows. The wait can only come after the post: one order. */
PROGRAM(sem_hands_over) {
    make(0);
    both(write_and_post, wait_and_read);
    return 0;
}

THREAD(post_and_write) {
    OK(sem_post(&semaphore));
    data = 1;
    return NULL;
}

/* expect: bug data-race
 * The post comes before the write. */
PROGRAM(sem_posted_too_early) {
    make(0);
    both(post_and_write, wait_and_read);
    return 0;
}

/* expect: verified
 * executions: 1
 * sem_trywait gives EAGAIN instead of waiting, and sem_getvalue returns the value. */
PROGRAM(sem_try_and_value) {
    int value = -1;
    make(1);
    OK(sem_trywait(&semaphore));
    GIVES(-1, sem_trywait(&semaphore));
    assert(errno == EAGAIN);
    OK(sem_post(&semaphore));
    OK(sem_post(&semaphore));
    OK(sem_getvalue(&semaphore, &value));
    assert(value == 2);
    return 0;
}

/* expect: verified
 * executions: 1
 * A semaphore cannot have a value above SEM_VALUE_MAX. */
PROGRAM(sem_overflow) {
    GIVES(-1, sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1u));
    assert(errno == EINVAL);
    make(SEM_VALUE_MAX);
    GIVES(-1, sem_post(&semaphore));
    assert(errno == EOVERFLOW);
    return 0;
}

THREAD(unlocked_by_another_is_fine) {
    OK(sem_post(&semaphore));
    return NULL;
}

/* expect: verified
 * executions: 1
 * Unlike a mutex, a semaphore has no owner. */
PROGRAM(sem_has_no_owner) {
    make(1);
    OK(sem_wait(&semaphore));
    join(spawn(unlocked_by_another_is_fine, NULL));
    OK(sem_wait(&semaphore));
    return 0;
}

THREAD(wait_both) {
    OK(sem_wait(&semaphore));
    OK(sem_wait(&semaphore));
    OK(sem_post(&semaphore));
    OK(sem_post(&semaphore));
    return NULL;
}

/* expect: bug deadlock
 * Two threads want both of two permits, one by one. Each may get one and wait for ever. */
PROGRAM(sem_hold_and_wait) {
    make(2);
    both(wait_both, wait_both);
    return 0;
}

/* expect: verified
 * With three permits, one of the threads always gets its second permit. */
PROGRAM(sem_hold_and_wait_with_enough) {
    make(3);
    both(wait_both, wait_both);
    return 0;
}

THREAD(rendezvous_one) {
    data = 1;
    OK(sem_post(&semaphore));
    OK(sem_wait(&back));
    return NULL;
}

THREAD(rendezvous_two) {
    OK(sem_post(&back));
    OK(sem_wait(&semaphore));
    assert(data == 1);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Each thread posts first, then waits. */
PROGRAM(sem_rendezvous) {
    make(0);
    both(rendezvous_one, rendezvous_two);
    return 0;
}

THREAD(wait_first_one) {
    OK(sem_wait(&back));
    OK(sem_post(&semaphore));
    return NULL;
}

THREAD(wait_first_two) {
    OK(sem_wait(&semaphore));
    OK(sem_post(&back));
    return NULL;
}

/* expect: bug deadlock
 * Each thread waits first. */
PROGRAM(sem_rendezvous_backwards) {
    make(0);
    both(wait_first_one, wait_first_two);
    return 0;
}

/* expect: bug data-race
 * Two threads post, and main waits once. So main is ordered after only one of them. */
PROGRAM(sem_waits_for_one_of_two) {
    make(0);
    pthread_t one = spawn(write_and_post, NULL), two = spawn(unlocked_by_another_is_fine, NULL);
    OK(sem_wait(&semaphore));
    data = 2;
    join(one);
    join(two);
    return 0;
}

/* expect: verified
 * Two waits order main after both posts. */
PROGRAM(sem_waits_for_both) {
    make(0);
    pthread_t one = spawn(write_and_post, NULL), two = spawn(unlocked_by_another_is_fine, NULL);
    OK(sem_wait(&semaphore));
    OK(sem_wait(&semaphore));
    data = 2;
    join(one);
    join(two);
    return 0;
}
