/* heddle.h - the calls that a test program may make to Heddle.
 *
 * None of them is required: Heddle explores an ordinary program with threads as it is. These calls
 * add what a test may want beyond that: a choice, an assumption, an atomic section, a note, a
 * mailbox.
 *
 * The same program also runs without the tool. Either link it to libheddle-stub.a (pkg-config:
 * heddle-stub), or start it directly instead of by `heddle run`. Then choices are random, atomic
 * sections take one global lock, and mailboxes are real queues. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true if the program runs under Heddle, that is, if Heddle decides which task moves
 * next. */
bool heddle_running(void);

/* Returns a number from 0 to n-1. The search explores every value. (This is VS_toss of VeriSoft,
 * with n values instead of n+1.) */
int heddle_choose(int n);

/* An assertion that is checked in every build, whether NDEBUG is defined or not. */
#define heddle_assert(condition) \
    ((condition) ? (void)0 : heddle_assertion_failed(#condition, __FILE__, __LINE__))

/* Tells Heddle that executions in which `condition` is false are of no interest.
 *
 * If the condition is false, the calling task does not go on. The other tasks do: they see
 * everything that the task has done so far, and a failed assertion in one of them is still a
 * finding. If in the end no task can go on, the execution is dropped silently; it is not reported
 * as a deadlock. Inside an atomic section a false condition drops the execution at once. */
void heddle_assume(bool condition);

/* Lets another task go first. A switch at this place does not count as a preemption. */
void heddle_yield(void);

/* The code between the two calls runs as one operation. Sections may be nested. Blocking inside a
 * section is reported as misuse. Two sections are ordered only if they touch the same memory. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* Adds a line of text to the trace, at this point of this task. */
void heddle_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells a delaying explorer (explorer.h) how far the program has come, for example "initialised".
 * The text must stay valid until the program ends, so pass a string literal. */
void heddle_hint(const char *what);

/* A mailbox: an unbounded queue of pointers. Zeroed memory is an empty mailbox. Sending never
 * blocks. A predicate may look at the message only; it must not touch other shared data. */
struct heddle_mailbox {
    unsigned long opaque[4];
};
typedef bool heddle_predicate(void *message, void *context);

void heddle_send(struct heddle_mailbox *mailbox, void *message);
void *heddle_receive(struct heddle_mailbox *mailbox);
bool heddle_try_receive(struct heddle_mailbox *mailbox, void **message);
/* Takes the oldest message for which the predicate holds. */
void *heddle_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context);
bool heddle_try_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                           void *context, void **message);

void heddle_assertion_failed(const char *condition, const char *file, int line)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
