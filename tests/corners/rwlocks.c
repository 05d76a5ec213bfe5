/* rwlocks.c - read-write locks: readers together, writers alone. */
#include "corner.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data, inside;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

THREAD(write_it) {
    OK(pthread_rwlock_wrlock(&lock));
    data++;
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

THREAD(read_it) {
    OK(pthread_rwlock_rdlock(&lock));
    int copy = data;
    OK(pthread_rwlock_unlock(&lock));
    assert(copy == 0 || copy == 1);
    return NULL;
}

/* expect: verified
 * executions: 2
 * A reader and a writer: two orders. */
PROGRAM(rwlock_reader_and_writer) {
    both(write_it, read_it);
    return 0;
}

/* expect: verified
 * executions: 2
 * Two writers exclude each other. */
PROGRAM(rwlock_two_writers) {
    both(write_it, write_it);
    assert(data == 2);
    return 0;
}

THREAD(write_as_reader) {
    OK(pthread_rwlock_rdlock(&lock));
    data++;
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* expect: bug data-race
 * Readers are inside together, so a write under a read lock races with another. */
PROGRAM(rwlock_write_under_a_read_lock) {
    both(write_as_reader, write_as_reader);
    return 0;
}

/* expect: bug data-race
 * And with a read. Of two reader sections none comes before the other. */
PROGRAM(rwlock_write_under_a_read_lock_against_a_reader) {
    both(write_as_reader, read_it);
    return 0;
}

/* expect: verified
 * A write under a read lock is ordered against a writer, though. */
PROGRAM(rwlock_write_under_a_read_lock_against_a_writer) {
    both(write_as_reader, write_it);
    assert(data == 2);
    return 0;
}

/* expect: bug deadlock
 * A thread that reads and wants to write waits for itself. (POSIX: EDEADLK may be given, else it deadlocks; glibc checks
 * only who writes.) */
PROGRAM(rwlock_upgrade) {
    OK(pthread_rwlock_rdlock(&lock));
    pthread_rwlock_wrlock(&lock);
    return 0;
}

/* expect: verified
 * executions: 1
 * glibc says EDEADLK to a writer that locks again, to read or to write. */
PROGRAM(rwlock_writer_again) {
    OK(pthread_rwlock_wrlock(&lock));
    GIVES(EDEADLK, pthread_rwlock_wrlock(&lock));
    GIVES(EDEADLK, pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return 0;
}

/* expect: verified
 * executions: 1
 * A thread may hold several read locks, and must release each. */
PROGRAM(rwlock_reader_twice) {
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    GIVES(EBUSY, pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_destroy(&lock));
    return 0;
}

THREAD(try_to_read) {
    OK(pthread_rwlock_tryrdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

THREAD(try_to_write_is_busy) {
    GIVES(EBUSY, pthread_rwlock_trywrlock(&lock));
    return NULL;
}

/* expect: verified
 * While a thread reads, others may read and not write. */
PROGRAM(rwlock_tries_beside_a_reader) {
    OK(pthread_rwlock_rdlock(&lock));
    join(spawn(try_to_read, NULL));
    join(spawn(try_to_write_is_busy, NULL));
    OK(pthread_rwlock_unlock(&lock));
    return 0;
}

/* expect: bug assertion
 * A tryrdlock fails while somebody writes. */
PROGRAM(rwlock_try_to_read_beside_a_writer) {
    both(write_it, try_to_read);
    return 0;
}

/* expect: bug sync-misuse
 * Nobody holds it. */
PROGRAM(rwlock_unlock_of_a_free_one) {
    pthread_rwlock_unlock(&lock);
    return 0;
}

THREAD(unlock_it) {
    pthread_rwlock_unlock(&lock);
    return NULL;
}

/* expect: bug sync-misuse
 * Only a thread that holds it may unlock it. */
PROGRAM(rwlock_unlocked_by_another) {
    OK(pthread_rwlock_wrlock(&lock));
    join(spawn(unlock_it, NULL));
    return 0;
}

/* expect: bug sync-misuse
 * It is in use. */
PROGRAM(rwlock_destroyed_while_read) {
    OK(pthread_rwlock_rdlock(&lock));
    pthread_rwlock_destroy(&lock);
    return 0;
}

THREAD(count_readers) {
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_mutex_lock(&mutex));
    inside++;
    int now = inside;
    OK(pthread_mutex_unlock(&mutex));
    assert(now < 2);
    OK(pthread_mutex_lock(&mutex));
    inside--;
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* expect: bug assertion
 * Both readers can be inside at once. */
PROGRAM(rwlock_readers_together) {
    both(count_readers, count_readers);
    return 0;
}

THREAD(read_then_mutex) {
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

THREAD(mutex_then_write) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(mutex_then_read) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * One reads and wants the mutex, the other has the mutex and wants to write. */
PROGRAM(rwlock_and_mutex_opposite_order) {
    both(read_then_mutex, mutex_then_write);
    return 0;
}

/* expect: verified
 * The same with two readers: none of them waits for the other's read lock. */
PROGRAM(rwlock_and_mutex_opposite_order_of_readers) {
    both(read_then_mutex, mutex_then_read);
    return 0;
}

THREAD(end_as_writer) {
    OK(pthread_rwlock_wrlock(&lock));
    return NULL;
}

/* expect: bug leaked-lock
 * The writer ended without unlocking, so the reader after it would wait for ever. The end comes first. */
PROGRAM(rwlock_kept_by_an_ended_thread) {
    join(spawn(end_as_writer, NULL));
    pthread_rwlock_rdlock(&lock);
    return 0;
}
