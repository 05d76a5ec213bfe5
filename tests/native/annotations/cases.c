/* cases.c - programs that use the interface of ThreadSanitizer, one for each word on the command
 * line. test_annotations.sh has the expected answers. Two threads run `first` and `second`. `flag`
 * is relaxed, so only the annotations order the data. */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__SANITIZE_THREAD__) && !(defined(__has_feature) && __has_feature(thread_sanitizer))
#error "this is compiled for ThreadSanitizer"
#endif

#define HERE __FILE__, __LINE__
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateHappensAfter(const char *, int, const volatile void *);
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
void AnnotateIgnoreSyncBegin(const char *, int);
void AnnotateIgnoreSyncEnd(const char *, int);
void AnnotateBenignRaceSized(const char *, int, const volatile void *, unsigned long, const char *);
void AnnotateRWLockAcquired(const char *, int, const volatile void *, long);
void AnnotateRWLockReleased(const char *, int, const volatile void *, long);

static const char *word;
static atomic_int flag, word_of_lock;
static int data, tag, constructed;
int seen[2]; /* not static, so that the compiler keeps the writes */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *fiber;

static int is(const char *name) {
    return strcmp(word, name) == 0;
}

__attribute__((constructor)) static void construct(void) {
    AnnotateBenignRaceSized(HERE, &constructed, sizeof constructed, "counted for statistics");
}

static void hand_over(void) {
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}
static int handed_over(void) {
    return atomic_load_explicit(&flag, memory_order_relaxed);
}

/* A lock made of relaxed atomics. Only its annotations say that it is a lock. */
static void lock(int number) {
    int expected = 0;
    if (!is("lock-bare"))
        __tsan_mutex_pre_lock(&word_of_lock, 0);
    if (is("lock-race"))
        seen[0]++; /* inside the lock's own code: wrong, but ignored */
    if (is("lock-divert")) {
        __tsan_mutex_pre_divert(&word_of_lock, 0);
        seen[0]++; /* outside the lock's own code */
        __tsan_mutex_post_divert(&word_of_lock, 0);
    }
    if (is("lock-broken")) {
        while (atomic_load_explicit(&word_of_lock, memory_order_relaxed))
            ;
        atomic_store_explicit(&word_of_lock, 1, memory_order_relaxed);
    } else {
        while (!atomic_compare_exchange_strong_explicit(&word_of_lock, &expected, 1,
                                                        memory_order_relaxed, memory_order_relaxed))
            expected = 0;
    }
    if (!is("lock-bare"))
        __tsan_mutex_post_lock(
            &word_of_lock,
            is("lock-try") && number ? __tsan_mutex_try_lock | __tsan_mutex_try_lock_failed : 0, 0);
}
static void unlock(void) {
    if (!is("lock-bare"))
        __tsan_mutex_pre_unlock(&word_of_lock, 0);
    atomic_store_explicit(&word_of_lock, 0, memory_order_relaxed);
    if (!is("lock-bare"))
        __tsan_mutex_post_unlock(&word_of_lock, 0);
}

static void *first(void *unused) {
    if (is("order") || is("order-half") || is("order-annotate")) {
        data = 1;
        if (is("order-annotate"))
            AnnotateHappensBefore(HERE, &tag);
        else
            __tsan_release(&tag);
        hand_over();
    } else if (is("order-unguarded")) {
        data = 1;
        __tsan_release(&tag);
    } else if (is("ignore-locked")) {
        pthread_mutex_lock(&mutex);
        data = 1;
        pthread_mutex_unlock(&mutex);
    } else if (is("ignore-sync")) {
        data = 1;
        atomic_store_explicit(&flag, 1, memory_order_release);
    } else if (strncmp(word, "lock", 4) == 0) {
        lock(0);
        data++;
        unlock();
    } else if (is("readers")) {
        AnnotateRWLockAcquired(HERE, &tag, 0);
        data = 1;
        AnnotateRWLockReleased(HERE, &tag, 0);
        hand_over();
    } else if (is("writer")) {
        AnnotateRWLockAcquired(HERE, &tag, 1);
        data = 1;
        AnnotateRWLockReleased(HERE, &tag, 1);
        hand_over();
    } else if (strncmp(word, "fiber", 5) == 0) {
        void *own = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
        data = 1;
        __tsan_switch_to_fiber(own, 0);
        hand_over();
    } else if (is("external")) {
        __tsan_external_write(&data, __builtin_return_address(0), NULL);
    } else if (is("benign-constructed")) {
        constructed++;
    } else {
        data = 1;
    }
    return unused;
}

static void *second(void *unused) {
    if (is("order") || is("order-annotate")) {
        if (handed_over()) {
            if (is("order-annotate"))
                AnnotateHappensAfter(HERE, &tag);
            else
                __tsan_acquire(&tag);
            seen[1] = data;
        }
    } else if (is("order-half")) {
        if (handed_over())
            seen[1] = data;
    } else if (is("order-unguarded")) {
        __tsan_acquire(&tag);
        seen[1] = data;
    } else if (is("ignore-reads")) {
        AnnotateIgnoreReadsBegin(HERE);
        seen[1] = data;
        AnnotateIgnoreReadsEnd(HERE);
    } else if (is("ignore-locked")) {
        pthread_mutex_lock(&mutex);
        AnnotateIgnoreReadsBegin(HERE);
        seen[1] = data;
        AnnotateIgnoreReadsEnd(HERE);
        pthread_mutex_unlock(&mutex);
    } else if (is("ignore-reads-only")) {
        AnnotateIgnoreReadsBegin(HERE);
        data = 2;
        AnnotateIgnoreReadsEnd(HERE);
    } else if (is("ignore-writes")) {
        AnnotateIgnoreWritesBegin(HERE);
        data = 2;
        AnnotateIgnoreWritesEnd(HERE);
    } else if (is("ignore-ended")) {
        AnnotateIgnoreReadsBegin(HERE);
        seen[0] = data;
        AnnotateIgnoreReadsEnd(HERE);
        seen[1] = data;
    } else if (is("ignore-sync")) {
        AnnotateIgnoreSyncBegin(HERE);
        int there = atomic_load_explicit(&flag, memory_order_acquire);
        AnnotateIgnoreSyncEnd(HERE);
        if (there)
            seen[1] = data;
    } else if (strncmp(word, "lock", 4) == 0) {
        lock(1);
        data++;
        unlock();
    } else if (is("readers") || is("writer")) {
        if (handed_over()) {
            AnnotateRWLockAcquired(HERE, &tag, 0);
            data = 2;
            AnnotateRWLockReleased(HERE, &tag, 0);
        }
    } else if (is("fiber")) {
        if (handed_over()) {
            __tsan_switch_to_fiber(fiber, 0);
            seen[1] = data;
        }
    } else if (is("fiber-alone")) {
        if (handed_over())
            seen[1] = data;
    } else if (is("benign-constructed")) {
        constructed++;
    } else {
        seen[1] = data;
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    if (argc < 2)
        return 0; /* the program links, and runs without the tool */
    word = argv[1];
    fiber = __tsan_create_fiber(0);
    if (is("benign"))
        AnnotateBenignRaceSized(HERE, &data, sizeof data, "on purpose");
    if (is("benign-other"))
        AnnotateBenignRaceSized(HERE, &tag, sizeof tag, "on purpose");
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
