/* event.h - an event: an operation that has happened, with its task and its result. */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "event/op.h"
#include "event/op_kind.h"

/* Properties of the result, beside its value. */
enum event_flag {
    EVENT_FAILED = 1,    /* try-lock without success, failed compare-exchange, empty mailbox */
    EVENT_TIMED_OUT = 2, /* gave up waiting */
    EVENT_NESTED = 4,    /* inside an atomic section: part of the section's step */
    EVENT_NOTE = 8,      /* no operation: a line from heddle_note, text in `note` */
    EVENT_HINT = 64, /* with EVENT_NOTE: the text comes from heddle_hint, and is always recorded */
    /* a loop came round with this event and then waited; the execution is the same without it */
    EVENT_IDLE = 32,
    /* the look of a waiting loop: it may have failed any number of times before (engine/looks.h) */
    EVENT_WAITED = 128,
};

struct event {
    struct op op;
    uint32_t task;
    uint32_t flags; /* enum event_flag */
    union {
        uint64_t result; /* the value that was read; 0 if a kind is not named below */
        uint64_t child;  /* create: the new task */
        uint64_t
            woken;     /* signal: the task woken + 1, or 0; broadcast, futex wake: how many tasks */
        uint64_t last; /* barrier arrive: 1 for the last arrival of its round */
        /* locks: an error number or 0; an unlock that loses a robust mutex has one, too */
        uint64_t error;
        uint64_t count;  /* semaphores: the count before it */
        uint64_t number; /* send and receive: the message's number in its mailbox */
        uint64_t runs;   /* once enter: 1 if it runs the routine; once leave: 1 if it has run it */
        /* atomic section, only in the history of a strategy: the address of its struct footprint
         * (footprint.h); 0 or an empty one: not known */
        uint64_t footprint;
    };
    uint32_t stack; /* the index of its stack in the frames of the execution; 0: not recorded */
    uint32_t note;  /* the index of its note in the text of the execution; 0: none */
};

#endif
