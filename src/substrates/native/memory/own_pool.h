/* own_pool.h - the pool of the native substrate: memory for tables that last as long as the
 * process.
 *
 * The pool of the session is not for these tables: with --isolate=fork, several processes share it,
 * and each has its own tables. Scratch memory is not for them either: it lasts for one execution,
 * and is saved with each state. */
#ifndef NATIVE_OWN_POOL_H
#define NATIVE_OWN_POOL_H

#include "base/pool.h"

struct pool *own_pool(void);

#endif
