/* sleepers.h - tasks asleep until another one wakes them: on a condition variable, before a
 * barrier, on a futex. */
#ifndef NATIVE_SLEEPERS_H
#define NATIVE_SLEEPERS_H

#include <stdint.h>

struct task;

/* The tasks that sleep on the object and were not woken yet. The array is valid until the next
 * call. */
struct task **sleepers_on(uint64_t object, uint32_t *count);

#endif
