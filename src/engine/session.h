/* session.h - the memory that the supervisor and the tested program share.
 *
 * The session is one memory file, which both map at the same address. The request goes in, the
 * result comes out, and meanwhile both sides talk through the live part. Everything that the search
 * remembers is in the pool of the session. So the death of the tested program costs one execution:
 * the next process finds the search as it was left, and goes on. For this, pointers must mean the
 * same in every process of a session. Data is at SESSION_ADDRESS. Tables of functions are at the
 * load address of the runtime, which is the same because address randomisation is off
 * (session_check_code fails if it is not). */
#ifndef ENGINE_SESSION_H
#define ENGINE_SESSION_H

#include <signal.h>
#include <stdbool.h>

#include "base/pool.h"
#include "engine/live.h"
#include "engine/request.h"
#include "engine/result.h"
#include "engine/session_place.h"

#define SESSION_MAGIC 0x31656c6464654821u
#define SESSION_VARIABLE "HEDDLE_SESSION" /* the path of the memory file */
#define SESSION_REFUSED 119 /* exit status of a runtime that cannot read the session */

/* Sent to the tested program when a step takes too long. Its value says which step that is. The
 * signal waits in a queue, so it can come after the step has ended; then it means nothing. */
#define SESSION_STEP_SIGNAL (SIGRTMIN + 6)

static inline union sigval session_step_value(uint64_t heartbeat, bool asleep) {
    return (union sigval){.sival_ptr = (void *)(heartbeat << 1 | asleep)};
}

static inline bool session_step_is(const struct live *live, union sigval value) {
    return (uint64_t)value.sival_ptr >> 1 == live->heartbeat << 1 >> 1;
}

static inline bool session_step_asleep(union sigval value) {
    return (uint64_t)value.sival_ptr & 1;
}

struct session {
    uint64_t magic;
    uint64_t size; /* sizeof (struct session), so that two builds never share one */
    struct pool *pool;
    struct live live;
    struct request request;
    struct result result;
};

/* For the supervisor: a new session in a memory file, whose descriptor is stored in *fd. Returns
 * NULL with errno. */
struct session *session_create(int *fd);
/* For the tested program: the session of its supervisor. Returns NULL if another build of Heddle
 * made the file. */
struct session *session_attach(const char *path);
/* For a copy of the tested program: what it writes to the session is seen by nobody else. Returns
 * false if that cannot be had. */
bool session_leave(struct session *session);

#endif
