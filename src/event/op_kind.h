/* op_kind.h - the kinds of operations and their properties: the columns of op_kinds.def.
 *
 * The kinds are a closed set. Code that must tell kinds apart asks for a property in the table. So
 * a new kind is one row there, and its effect in a substrate. A switch is over a column, is
 * complete, and has no default. So the compiler shows all places that must know a new act or a new
 * wait. */
#ifndef EVENT_OP_KIND_H
#define EVENT_OP_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* The part of the state that an operation touches, for dependence (see dependence.c). */
enum op_class {
    CLASS_NONE,   /* nothing that another task notices: yield, choose */
    CLASS_MEMORY, /* `size` bytes at `object` */
    CLASS_OBJECT, /* the synchronisation object at `object` (and the one at `object2`) */
    CLASS_TASK,   /* the task `target` */
    CLASS_ALL,    /* everything: the end of the process, an atomic section */
};

enum op_effect { EFFECT_READ, EFFECT_WRITE };

/* The kind of its object. */
enum op_subject {
#define SUBJECT(subject, noun, waited_for) ABOUT_##subject,
#include "event/op_subjects.def"
#undef SUBJECT
    OP_SUBJECTS
};

/* The effect on its object. Kinds that differ only in whether they wait share an act. */
enum op_act {
    ACT_NONE, /* nothing that an analysis follows */

    ACT_READ, /* memory */
    ACT_WRITE,
    ACT_MODIFY,
    ACT_EXCHANGE, /* writes, or fails and only reads */
    ACT_FENCE,

    ACT_INIT,       /* the object is as new */
    ACT_INIT_COUNT, /* likewise, and counts from `value` on */

    ACT_TAKE, /* locks; the owner of a recursive one may take it again */
    ACT_GIVE_BACK,
    ACT_ABANDON,     /* gives the lock back, however often it was taken */
    ACT_TAKE_SHARED, /* read-write locks: takes it as a reader */
    ACT_TAKE_ALONE,  /* takes it as the writer */
    ACT_GIVE_EITHER, /* gives it back, as the writer or as a reader */

    ACT_FALL_ASLEEP, /* condition variables: gives the mutex back and falls asleep */
    ACT_WAKE_UP,     /* wakes up and takes the mutex again */

    ACT_ARRIVE, /* barriers */
    ACT_LEAVE,

    ACT_COUNT_DOWN, /* semaphores */
    ACT_COUNT_UP,
    ACT_COUNT, /* reads the count */

    ACT_ENTER,  /* once: the first task runs the routine */
    ACT_FINISH, /* the routine has run */

    ACT_CREATE, /* tasks */
    ACT_JOIN,
    ACT_END,

    ACT_SEND, /* mailboxes */
    ACT_RECEIVE,
    ACT_HALT,

    ACT_SECTION, /* begins or ends a section that runs as one operation */
    ACT_ANNOTATE,
};

/* What a task that is blocked in front of the operation waits for. */
enum op_wait {
    AWAIT_NONE,  /* the operation never blocks; a task that does not go on was parked in a loop */
    AWAIT_STATE, /* another state of its object: lock_state_allows() */
    AWAIT_ROOM,  /* room in a mailbox, if the send waits for that */
    AWAIT_TASK,  /* the end of its target, unless it is timed */
    AWAIT_WAKE,  /* to be woken, and then for the mutex */
    AWAIT_ROUND, /* the last arrival of its round */
    AWAIT_EVER,  /* nothing: the task never goes on */
    AWAIT_ANY,   /* some operation that depends on this one; or the task is parked */
};

enum op_fact {
    /* a loop that waits can consist of it, and a task can be parked in front of it */
    POLLS = 1 << 0,
    /* the end of a sleep: a task in front of it sleeps until it is woken, and then stays awake */
    SLEEPS = 1 << 1,
    WAKES = 1 << 2,     /* wakes tasks that sleep on the same object */
    GIVES_WAY = 1 << 3, /* a context switch in front of it costs nothing */
    ACQUIRES = 1 << 4,  /* orders its task after all releases of its object */
    /* orders its task before later acquires of its object (atomics: by their memory order) */
    RELEASES = 1 << 5,
    /* two operations with the same act can change places, even on the same object */
    COMMUTES = 1 << 6,
    WITH_MUTEX = 1 << 7, /* `mutex` is the mutex that goes with its object */
    NAMES_TASK = 1 << 8, /* `target` is another task, which exists before it */
    BY_ADDRESS = 1 << 9, /* its object is only an address, whose memory may have been freed */
    SHOWS = 1 << 10, /* its task learns what other tasks did, without being ordered after them */
    SHOWS_FAILURE = 1 << 11, /* the same, but only if it fails or times out */
};

enum op_kind {
#define OP(kind, name, about, class, effect, act, wait, facts) OP_##kind,
#include "event/op_kinds.def"
#undef OP
    OP_KINDS
};

/* A set of kinds. */
typedef unsigned __int128 op_set;
_Static_assert(OP_KINDS <= 128, "a kind is a bit");

static inline op_set op_bit(enum op_kind kind) {
    return (op_set)1 << kind;
}

struct op_info {
    const char *name; /* "lock" */
    enum op_subject about : 8;
    enum op_class class : 8;
    enum op_effect effect : 8;
    enum op_act act : 8;
    enum op_wait wait : 8;
    uint16_t facts; /* bits of enum op_fact */
};
_Static_assert(sizeof(struct op_info) == 16, "a small table: it is read at every step");

struct op_subject_info {
    const char *noun;       /* "mutex", or NULL */
    const char *waited_for; /* "a signal on", or NULL */
};

extern const struct op_info op_infos[OP_KINDS];
extern const struct op_subject_info op_subjects[OP_SUBJECTS];

static inline const struct op_info *op_info(enum op_kind kind) {
    CHECK(kind < OP_KINDS);
    return &op_infos[kind];
}

/* Whether the kind has all of these facts. */
static inline bool op_has(enum op_kind kind, uint32_t facts) {
    return (op_info(kind)->facts & facts) == facts;
}

static inline const struct op_subject_info *op_subject(enum op_kind kind) {
    return &op_subjects[op_info(kind)->about];
}

/* Whether a task in front of it can be blocked by the operation itself. */
static inline bool op_blocks(enum op_kind kind) {
    return op_info(kind)->wait != AWAIT_NONE;
}

/* Whether the operation tells what a blocked task in front of it waits for. In front of all other
 * kinds, the task may be parked, and then waits for a change of anything that its loop has read. */
static inline bool op_wait_is_known(enum op_kind kind) {
    return op_blocks(kind) && op_info(kind)->wait != AWAIT_ANY;
}

/* Whether it is the end of a sleep that can end by itself: by a time-out, or spuriously. */
static inline bool op_may_wake_itself(enum op_kind kind) {
    return op_has(kind, SLEEPS | POLLS);
}

static inline bool op_signals(enum op_kind kind) {
    return op_has(kind, WAKES) && op_info(kind)->about == ABOUT_CONDITION;
}

/* Whether its `order` is a memory order of C11. */
static inline bool op_has_order(enum op_kind kind) {
    return op_info(kind)->about == ABOUT_ATOMIC || op_info(kind)->act == ACT_FENCE;
}

static inline bool op_receives(enum op_kind kind) {
    return op_info(kind)->act == ACT_RECEIVE;
}

static inline bool op_joins(enum op_kind kind) {
    return op_info(kind)->act == ACT_JOIN;
}

#endif
