/* event.h - an operation that has happened: who did it, and what came of it. */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "event/op.h"

/* What came of it, beside the value. */
enum event_flag {
    EVENT_FAILED = 1,    /* try-lock without success, failed compare-exchange, empty mailbox */
    EVENT_TIMED_OUT = 2, /* gave up waiting */
    EVENT_NESTED = 4,    /* inside an atomic section: part of the section's step */
    EVENT_NOTE = 8,      /* no operation: a line from heddle_note, text in `note` */
    EVENT_HINT = 64,     /* with EVENT_NOTE: what heddle_hint said; always recorded */
    EVENT_IDLE = 32, /* a loop came round with it and then waited: it might as well be missing */
};

struct event {
    struct op op;
    uint32_t task;
    uint32_t flags; /* enum event_flag */
    uint64_t
        result;     /* value read; for a create, the new task; for a signal, the task woken + 1; for
                         a barrier arrival, 1 if it was the last; for an unlock and a condition wait, an error number if a robust mutex
                         is lost by it; for a semaphore, its value before; for a send and the receive of the same
                         message, its number in the mailbox */
    uint32_t stack; /* where in the execution's frames its stack begins; 0: not recorded */
    uint32_t note;  /* where in the execution's text its note begins; 0: none */
};

#endif
