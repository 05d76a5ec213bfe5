/* fences.c - atomic_thread_fence and atomic_signal_fence (C11 7.17.4). */
#include "corner.h"
#include <stdatomic.h>

static atomic_int flag, second, x, y;
static int data, one, two;

THREAD(release_fence) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

THREAD(acquire_fence) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
    return NULL;
}

/* expect: verified
 * A release fence synchronises with an acquire fence through a relaxed store and load. */
PROGRAM(fence_release_acquire) {
    both(release_fence, acquire_fence);
    return 0;
}

THREAD(acquire_load) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
        assert(data == 1);
    }
    return NULL;
}

/* expect: verified
 * A release fence synchronises with an acquire load. */
PROGRAM(fence_release_to_acquire_load) {
    both(release_fence, acquire_load);
    return 0;
}

THREAD(release_store) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

/* expect: verified
 * A release store synchronises with an acquire fence. */
PROGRAM(fence_acquire_from_release_store) {
    both(release_store, acquire_fence);
    return 0;
}

THREAD(release_fence_too_late) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return NULL;
}

/* expect: bug data-race
 * The release fence comes after the store. */
PROGRAM(fence_release_too_late) {
    both(release_fence_too_late, acquire_fence);
    return 0;
}

THREAD(acquire_fence_too_early) {
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        assert(data == 1);
    }
    return NULL;
}

/* expect: bug data-race
 * The acquire fence comes before the load. */
PROGRAM(fence_acquire_too_early) {
    both(release_fence, acquire_fence_too_early);
    return 0;
}

THREAD(release_fence_then_write) {
    atomic_thread_fence(memory_order_release);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * The data is written between the fence and the store, so the fence does not cover it. */
PROGRAM(fence_write_behind_it) {
    both(release_fence_then_write, acquire_fence);
    return 0;
}

THREAD(wrong_kinds_store) {
    data = 1;
    atomic_thread_fence(memory_order_acquire);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * An acquire fence releases nothing. */
PROGRAM(fence_of_the_wrong_kind) {
    both(wrong_kinds_store, acquire_fence);
    return 0;
}

THREAD(signal_fence) {
    data = 1;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * A signal fence orders a thread and its own signal handlers, not two threads. */
PROGRAM(fence_for_signals_only) {
    both(signal_fence, acquire_fence);
    return 0;
}

THREAD(two_flags) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    return NULL;
}

THREAD(read_second) {
    if (atomic_load_explicit(&second, memory_order_acquire)) {
        assert(data == 1);
    }
    return NULL;
}

/* expect: verified
 * A release fence covers all later stores of its thread. */
PROGRAM(fence_covers_later_stores) {
    both(two_flags, read_second);
    return 0;
}

THREAD(full_fence_x) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    one = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

THREAD(full_fence_y) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    two = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

/* expect: verified
 * Store buffering with full fences: at least one thread sees the other's store. */
PROGRAM(fence_store_buffering) {
    both(full_fence_x, full_fence_y);
    assert(one || two);
    return 0;
}

THREAD(relaxed_fence) {
    data = 1;
    atomic_thread_fence(memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * A relaxed fence has no effect. */
PROGRAM(fence_relaxed) {
    both(relaxed_fence, acquire_fence);
    return 0;
}

THREAD(acq_rel_fence) {
    data = 1;
    atomic_thread_fence(memory_order_acq_rel);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

THREAD(seq_cst_fence_reader) {
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (seen) {
        assert(data == 1);
    }
    return NULL;
}

/* expect: verified
 * An acq_rel fence releases, and a seq_cst fence acquires. */
PROGRAM(fence_stronger_kinds) {
    both(acq_rel_fence, seq_cst_fence_reader);
    return 0;
}

THREAD(sync_fence) {
    data = 1;
    __sync_synchronize();
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: verified
 * __sync_synchronize is a full fence. */
PROGRAM(fence_of_the_older_builtins) {
    both(sync_fence, acquire_fence);
    return 0;
}
