/* op.h - an operation: an action of a task that another task could notice. The kinds are in
 * op_kinds.def. */
#ifndef EVENT_OP_H
#define EVENT_OP_H

#include <stdbool.h>
#include <stdint.h>

/* The C11 memory orders, in the numbering that the compilers use. */
enum memory_order_kind {
    ORDER_RELAXED,
    ORDER_CONSUME,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SEQ_CST,
};

/* What can happen to a message. A message of a mailbox has none of these flags. If there is no
 * room, and the message neither waits nor is dropped, the send is a finding. */
enum message_flag {
    MESSAGE_MACHINE = 1, /* between machines */
    MESSAGE_WAITS = 2,   /* send: waits if there is no room. halt: waits for a message */
    MESSAGE_DROPS = 4,   /* a message that finds no room is dropped */
    MESSAGE_BOUNDED = 8, /* the room matters even if fewer messages were ever sent */
    MESSAGE_LOST = 16,   /* event: the message was lost on the way */
    /* event: the receiver had nothing left to do but halt, and gets a step for that */
    MESSAGE_WAKES = 32,
};

/* How a read-modify-write changes its value. 0: not known. */
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

/* A field that means different things for different kinds has a name for each meaning. The first
 * name of each union is for code that copies, compares or writes operations of any kind. A comment
 * that says "event" describes a field that the operation gets when it happens. */
struct op {
    uint8_t kind; /* enum op_kind */
    union {
        uint8_t order;         /* atomics and fences: enum memory_order_kind */
        uint8_t annotated;     /* other accesses: 1 if the program says that they do not race */
        uint8_t message_flags; /* send, receive, halt: bits of enum message_flag */
        uint8_t unseen; /* atomic section: 1 if it may run code whose accesses are not seen */
    };
    union {
        uint8_t size; /* CLASS_MEMORY: bytes */
        uint8_t room; /* send: how many messages may wait (UINT8_MAX: or more); 0: any number */
    };
    bool timed; /* may give up by a time-out */
    union {
        uint32_t target;        /* CLASS_TASK, and NAMES_TASK: the other task, or NO_TASK */
        uint32_t receiver;      /* send: the machine, or NO_TASK; 0 for a mailbox */
        uint32_t failure_order; /* compare-exchange, event: its memory order if it fails */
        uint32_t modification;  /* read-modify-write, event: enum modification */
        uint32_t also_fits; /* receive by a predicate, event: bit n is set if the receive would also
                                   have taken the n-th message behind its own */
    };
    uint64_t object; /* its name (object.h); creation of a machine: the machine's mailbox */
    union {
        uint64_t object2;
        uint64_t mutex;    /* WITH_MUTEX */
        uint64_t monitors; /* send: the monitors that see the message, or 0 */
        uint64_t numbers;  /* creation of a machine: the count that numbers machines, or 0 */
    };
    union {
        uint64_t value;        /* stored, added, exit status, first count of a semaphore, ... */
        uint64_t expected;     /* compare-exchange, futex wait: the value that must be there */
        uint64_t desired;      /* compare-exchange, event: the value that replaces it */
        uint64_t wakers;       /* futex sleep: the bits of the wake-ups that count */
        uint64_t choices;      /* choose: how many values there are */
        uint64_t by_predicate; /* receive: 0 if it takes any message */
        uint64_t message;      /* send, announce; receive, event */
        uint64_t round;        /* barrier leave; barrier arrive, event */
        uint64_t section_ends; /* atomic section: 0 where it begins, 1 where it ends */
        uint64_t type_name;    /* creation and halt of a machine: the name of its type, a string */
        uint64_t reader;       /* annotations: 1 for a reader's lock */
    };
    uint64_t pc; /* the instruction after the call */
};
_Static_assert(sizeof(struct op) == 40, "operations are copied and hashed at every step");

#endif
