/* op.h - operations: what a task does that another task could notice.
 *
 * The kinds are a closed set and stand in one table, op_kinds.def; nothing else lists them. A new
 * kind is one row there, and the compiler shows the rest (every switch over enum op_kind is
 * complete). */
#ifndef EVENT_OP_H
#define EVENT_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* What an operation touches, as far as dependence is concerned (see dependence.c). */
enum op_class {
    CLASS_NONE,   /* nothing that anybody else sees: yield, choose */
    CLASS_MEMORY, /* `size` bytes at `object` */
    CLASS_OBJECT, /* the synchronisation object at `object` (and the one at `object2`) */
    CLASS_TASK,   /* the task `target` */
    CLASS_ALL,    /* everything: the end of the process, an atomic section */
};

enum op_effect { EFFECT_READ, EFFECT_WRITE };

enum op_kind {
#define OP(kind, name, class, effect) OP_##kind,
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

/* The C11 memory orders, in the numbering that the compilers use. */
enum memory_order_kind {
    ORDER_RELAXED,
    ORDER_CONSUME,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SEQ_CST,
};

/* The `order` of a plain or volatile access that annotations tell to ignore in data races; else it is 0. */
enum { ORDER_ANNOTATED = 1 };

/* Of an annotated release or acquire, `value`: it is that of a reader's lock. */
enum { ANNOTATE_READER = 1 };

/* Bits of a message's `order`: what may become of it. Those of a mailbox have none of them. */
enum message_order {
    MESSAGE_MACHINE = 1, /* between machines */
    MESSAGE_WAITS = 2,   /* a send: it waits until there is room, */
    MESSAGE_DROPS = 4,   /* or is dropped if there is none, or neither: that is a finding */
    MESSAGE_BOUNDED =
        8, /* it matters in any case how many messages wait; else only if more were sent */
    MESSAGE_LOST = 16,  /* of an event: it was lost on the way, */
    MESSAGE_WAKES = 32, /* its receiver was as good as halted, and comes back to halt */
};

/* What a read-modify-write does with its value: the `target` of its event. 0: nobody has said. */
enum modification {
    MODIFY_EXCHANGE = 1,
    MODIFY_ADD,
    MODIFY_SUB,
    MODIFY_AND,
    MODIFY_OR,
    MODIFY_XOR,
    MODIFY_NAND,
    MODIFICATIONS,
};

#define NO_TASK UINT32_MAX

struct op {
    uint8_t kind;  /* enum op_kind */
    uint8_t order; /* enum memory_order_kind, of atomics and fences; bits of enum message_order */
    uint8_t
        size; /* bytes, of CLASS_MEMORY; of a send, how many messages may wait (UINT8_MAX: or more) if
                      that matters, else 0 */
    bool timed; /* may give up by a time-out */
    uint32_t
        target; /* the other task, of CLASS_TASK; the machine that an event is sent to (its `value` is the
                         event), 0 for a mailbox; of a CAS event, its order if it fails, of an RMW event, enum modification; of a receive event with a
                         predicate, a bit for each message behind its own, the next one first: would it have been taken as well? */
    uint64_t object; /* address; of the creation of a machine, its mailbox */
    uint64_t
        object2; /* a second object: the mutex of a condition wait, the monitors that see a send, the count of machines that a creation numbers by; 0 for none */
    uint64_t
        value; /* what is stored, added, sent, expected (of a CAS event, stored); the number of a choice's values; whether a receive goes by a predicate (of an event, the message); the round of a barrier, of a leave and of an arrive event; of an
                          atomic section, 0 where it begins, 1 where it ends; of a halt, the name of the machine's type */
    uint64_t pc; /* the instruction after the call */
};

struct op_info {
    const char *name; /* "lock" */
    enum op_class class;
    enum op_effect effect;
};

extern const struct op_info op_infos[OP_KINDS];

static inline const struct op_info *op_info(enum op_kind kind) {
    CHECK(kind < OP_KINDS);
    return &op_infos[kind];
}

static inline bool op_receives(enum op_kind kind) {
    return kind == OP_RECEIVE || kind == OP_TRY_RECEIVE;
}

/* The kind with that name, or OP_KINDS. */
enum op_kind op_kind_named(const char *name);

#endif
