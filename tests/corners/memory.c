/* memory.c - heap misuse, and the functions that copy and fill memory. */
#include "corner.h"
#include <stdatomic.h>
#include <stddef.h>

static char *block;
static char source[64], target[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(char *) published;
static volatile size_t large = 64; /* volatile, so that the compiler does not know the value */

static void make(void) {
    block = malloc(64);
    memset(block, 0, large);
}

THREAD(free_block) {
    free(block);
    return NULL;
}

THREAD(use_block) {
    block[3] = 1;
    return NULL;
}

/* expect: bug heap-misuse
 * The block is written to after it was freed. */
PROGRAM(heap_use_after_free) {
    make();
    join(spawn(free_block, NULL));
    use_block(NULL);
    return 0;
}

/* expect: bug heap-misuse
 * Two threads, one after the other, free the same block. */
PROGRAM(heap_double_free) {
    make();
    join(spawn(free_block, NULL));
    free_block(NULL);
    return 0;
}

THREAD(locked_free) {
    OK(pthread_mutex_lock(&mutex));
    free(block);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(locked_use) {
    OK(pthread_mutex_lock(&mutex));
    block[3] = 1;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug heap-misuse
 * The mutex orders the two threads, but in one of the two orders the block is used after it was
 * freed. */
PROGRAM(heap_use_after_free_by_order) {
    make();
    both(locked_free, locked_use);
    return 0;
}

THREAD(locked_free_and_clear) {
    OK(pthread_mutex_lock(&mutex));
    free(block);
    block = NULL;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(locked_use_if_there) {
    OK(pthread_mutex_lock(&mutex));
    if (block != NULL) {
        block[3] = 1;
    }
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * executions: 2
 * The thread tests whether the block still exists. */
PROGRAM(heap_use_if_there) {
    make();
    both(locked_free_and_clear, locked_use_if_there);
    return 0;
}

/* expect: bug heap-misuse
 * One byte is written behind the end of the block. */
PROGRAM(heap_overflow) {
    make();
    block[large] = 1;
    return 0;
}

/* expect: bug heap-misuse
 * One byte is written before the start of the block. */
PROGRAM(heap_underflow) {
    make();
    block[-(long)(large / 64)] = 1;
    return 0;
}

/* expect: bug heap-misuse
 * A pointer into the middle of a block cannot be freed. */
PROGRAM(heap_free_of_the_middle) {
    make();
    char *volatile middle = block + 8;
    free(middle);
    return 0;
}

/* expect: bug heap-misuse
 * A variable that does not come from malloc cannot be freed. */
PROGRAM(heap_free_of_a_variable) {
    char *volatile pointer = source;
    free(pointer);
    return 0;
}

/* expect: verified
 * executions: 1
 * free(NULL) does nothing, realloc keeps the contents, calloc clears, and a size that overflows
 * gives NULL. */
PROGRAM(heap_right) {
    char *volatile nothing = NULL;
    free(nothing);
    make();
    block[0] = 5;
    block = realloc(block, 1000);
    assert(block[0] == 5);
    block[999] = 1;
    free(block);
    int *cleared = calloc(10, sizeof *cleared);
    assert(cleared[9] == 0);
    free(cleared);
    volatile size_t huge = (size_t)-1;
    char *volatile refused = calloc(huge, 2);
    assert(refused == NULL);
    refused = malloc(huge / 2);
    assert(refused == NULL);
    return 0;
}

/* expect: bug heap-misuse
 * After realloc, the old pointer is invalid, no matter whether the block moved. */
PROGRAM(heap_old_pointer_after_realloc) {
    make();
    char *volatile old = block;
    block = realloc(block, 1 << 20);
    old[0] = 1;
    return 0;
}

/* expect: verified
 * executions: 1
 * Blocks are aligned as requested. */
PROGRAM(heap_alignment) {
    void *aligned = NULL;
    OK(posix_memalign(&aligned, 4096, 100));
    assert((size_t)aligned % 4096 == 0);
    free(aligned);
    aligned = aligned_alloc(256, 512);
    assert((size_t)aligned % 256 == 0);
    free(aligned);
    GIVES(EINVAL, posix_memalign(&aligned, 3, 100));
    char *small = malloc(1);
    assert((size_t)small % _Alignof(max_align_t) == 0);
    return 0;
}

THREAD(fill_target) {
    memset(target, 1, large);
    return NULL;
}

THREAD(copy_to_target) {
    memcpy(target, source, large);
    return NULL;
}

THREAD(copy_from_source) {
    char copy[64];
    memcpy(copy, source, large);
    return NULL;
}

/* expect: bug data-race
 * memset and memcpy write to the same memory. */
PROGRAM(memory_functions_race) {
    both(fill_target, copy_to_target);
    return 0;
}

/* expect: verified
 * executions: 1
 * Both threads only read the same memory. */
PROGRAM(memory_functions_read) {
    both(copy_to_target, copy_from_source);
    return 0;
}

/* expect: bug heap-misuse
 * memset writes beyond the end of the block. */
PROGRAM(memory_function_overflows) {
    make();
    memset(block, 0, large + 1);
    return 0;
}

/* expect: bug heap-misuse
 * memcpy reads from a block that was freed. */
PROGRAM(memory_function_after_free) {
    make();
    char *volatile old = block;
    free(block);
    memcpy(target, old, large);
    return 0;
}

THREAD(fill_first_half) {
    memset(target, 1, large / 2);
    return NULL;
}

THREAD(fill_second_half) {
    memset(target + 32, 2, large / 2);
    return NULL;
}

/* expect: verified
 * executions: 1
 * The two halves do not overlap. */
PROGRAM(memory_functions_of_halves) {
    both(fill_first_half, fill_second_half);
    assert(target[31] == 1 && target[32] == 2);
    return 0;
}

THREAD(move_within) {
    memmove(target + 16, target, large / 2);
    return NULL;
}

/* expect: bug data-race
 * memmove writes bytes 16 to 47, and the other thread writes bytes 32 to 63. */
PROGRAM(memory_move_races) {
    both(move_within, fill_second_half);
    return 0;
}

static struct whole { int numbers[16]; } left, right;

THREAD(assign_structure) {
    left = right;
    return NULL;
}

THREAD(write_a_member) {
    left.numbers[15] = 1;
    return NULL;
}

/* expect: bug data-race
 * The assignment of a structure writes all of its members. */
PROGRAM(memory_structure_assignment_races) {
    both(assign_structure, write_a_member);
    return left.numbers[15] > 1;
}

THREAD(publish_block) {
    char *fresh = malloc(8);
    fresh[0] = 7;
    atomic_store_explicit(&published, fresh, memory_order_release);
    return NULL;
}

THREAD(free_published) {
    char *taken = atomic_exchange_explicit(&published, NULL, memory_order_acq_rel);
    if (taken != NULL) {
        assert(taken[0] == 7);
        free(taken);
    }
    return NULL;
}

/* expect: verified
 * An atomic pointer hands the block over, and the thread that takes it frees it. */
PROGRAM(heap_handed_over) {
    pthread_t third = spawn(free_published, NULL);
    both(publish_block, free_published);
    join(third);
    return 0;
}

THREAD(peek_published) {
    char *seen = atomic_load_explicit(&published, memory_order_acquire);
    if (seen != NULL) {
        assert(seen[0] == 7);
    }
    return NULL;
}

/* expect: bug data-race
 * Nothing orders the reader before the free, which counts as a write to the block. */
PROGRAM(heap_freed_under_a_reader) {
    publish_block(NULL);
    both(peek_published, free_published);
    return 0;
}
