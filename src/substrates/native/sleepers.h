/* sleepers.h - tasks asleep until another one wakes them: on a condition variable, before a barrier,
 * on a futex. */
#ifndef NATIVE_SLEEPERS_H
#define NATIVE_SLEEPERS_H

#include "substrates/native/runtime.h"

/* Those that nobody has woken yet; the array holds until the next call. */
struct task **sleepers_on(uint64_t object, uint32_t *count);

#endif
