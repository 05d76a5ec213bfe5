/* futex.h - waits for a word that another process changes. Raw system calls are used, because the
 * wrapper of the C library would write errno, which belongs to a task of the tested program. */
#ifndef BASE_FUTEX_H
#define BASE_FUTEX_H

#include <stdint.h>

struct timespec;

/* Returns when the word is not `value`, when it was woken, when `timeout` (NULL: none) has passed,
 * or for no reason. So the caller must look at the word again. */
void futex_wait(volatile uint32_t *word, uint32_t value, const struct timespec *timeout);

/* Wakes all processes that wait for the word. */
void futex_wake(volatile uint32_t *word);

#endif
