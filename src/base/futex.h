/* futex.h - waiting for a word that another process changes, by raw system calls: the C library's
 * wrapper would write errno, which in the tested program may be any task's. */
#ifndef BASE_FUTEX_H
#define BASE_FUTEX_H

#include <stdint.h>

struct timespec;

/* Returns when the word is not `value`, when it was woken, when `timeout` (NULL: none) has passed, or
 * for no reason: whoever waits looks at the word again. */
void futex_wait(volatile uint32_t *word, uint32_t value, const struct timespec *timeout);

/* Whoever waits for it. */
void futex_wake(volatile uint32_t *word);

#endif
