/* rwlocks.c - read-write locks: readers hold them together, a writer alone. */
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
 * A reader and a writer have two orders. */
PROGRAM(rwlock_reader_and_writer) {
    both(write_it, read_it);
    return 0;
}

/* expect: verified
 * executions: 2
 * Two writers exclude each other: two orders. */
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
 * Readers may be inside together, so two writes under read locks race. */
PROGRAM(rwlock_write_under_a_read_lock) {
    both(write_as_reader, write_as_reader);
    return 0;
}

/* expect: bug data-race
 * A write under a read lock also races with a read: two sections of readers are not ordered. */
PROGRAM(rwlock_write_under_a_read_lock_against_a_reader) {
    both(write_as_reader, read_it);
    return 0;
}

/* expect: verified
 * A write under a read lock is ordered against a writer. */
PROGRAM(rwlock_write_under_a_read_lock_against_a_writer) {
    both(write_as_reader, write_it);
    assert(data == 2);
    return 0;
}

/* expect: bug deadlock
 * A reader that wants to write waits for itself. (POSIX allows EDEADLK or a deadlock. glibc
 * checks only whether the caller is the writer.) */
PROGRAM(rwlock_upgrade) {
    OK(pthread_rwlock_rdlock(&lock));
    pthread_rwlock_wrlock(&lock);
    return 0;
}

/* expect: verified
 * executions: 1
 * In glibc, a writer that locks again gets EDEADLK, no matter whether it wants to read or to
 * write. */
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
 * While one thread reads, others may read, but not write. */
PROGRAM(rwlock_tries_beside_a_reader) {
    OK(pthread_rwlock_rdlock(&lock));
    join(spawn(try_to_read, NULL));
    join(spawn(try_to_write_is_busy, NULL));
    OK(pthread_rwlock_unlock(&lock));
    return 0;
}

/* expect: bug assertion
 * A tryrdlock fails while another thread writes. */
PROGRAM(rwlock_try_to_read_beside_a_writer) {
    both(write_it, try_to_read);
    return 0;
}

/* expect: bug sync-misuse
 * No thread holds the lock. */
PROGRAM(rwlock_unlock_of_a_free_one) {
    pthread_rwlock_unlock(&lock);
    return 0;
}

THREAD(unlock_it) {
    pthread_rwlock_unlock(&lock);
    return NULL;
}

/* expect: bug sync-misuse
 * Only a thread that holds the lock may unlock it. */
PROGRAM(rwlock_unlocked_by_another) {
    OK(pthread_rwlock_wrlock(&lock));
    join(spawn(unlock_it, NULL));
    return 0;
}

/* expect: bug sync-misuse
 * The lock is destroyed while a thread holds it. */
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
 * One thread reads and wants the mutex. The other holds the mutex and wants to write. */
PROGRAM(rwlock_and_mutex_opposite_order) {
    both(read_then_mutex, mutex_then_write);
    return 0;
}

/* expect: verified
 * The same with two readers: neither waits for the other's read lock. */
PROGRAM(rwlock_and_mutex_opposite_order_of_readers) {
    both(read_then_mutex, mutex_then_read);
    return 0;
}

THREAD(end_as_writer) {
    OK(pthread_rwlock_wrlock(&lock));
    return NULL;
}

/* expect: bug leaked-lock
 * The writer ends without unlocking, so main's read lock would wait for ever. The end of the
 * thread comes first, so the finding is the leaked lock. */
PROGRAM(rwlock_kept_by_an_ended_thread) {
    join(spawn(end_as_writer, NULL));
    pthread_rwlock_rdlock(&lock);
    return 0;
}
