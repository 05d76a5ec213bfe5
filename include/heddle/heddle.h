/* heddle.h - what a test program may say to Heddle.
 *
 * Nothing here is needed: an ordinary program with threads is explored as it is. These calls add
 * what a test wants beyond that: a choice, an assumption, an atomic section, a note, a mailbox.
 * The same program runs without the tool, linked to libheddle-stub.a (pkg-config: heddle-stub) or
 * simply started without `heddle run`: then choices are random, sections are one global lock, and
 * mailboxes are real queues. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True while Heddle decides who moves. */
bool heddle_running(void);

/* One of 0 .. n-1; every value is explored (VS_toss of VeriSoft, with n values instead of n+1). */
int heddle_choose(int n);

/* An assertion that is there in every build, NDEBUG or not. */
#define heddle_assert(condition) \
    ((condition) ? (void)0 : heddle_assertion_failed(#condition, __FILE__, __LINE__))

/* Executions in which `condition` is false are of no interest. The task goes no further if it is; what it has done
 * so far, others can see, and a failed assertion of theirs is one. But if nobody goes on in the end, then that is
 * nobody's fault: the execution is dropped, silently. Within an atomic section it is dropped at once. */
void heddle_assume(bool condition);

/* A place where somebody else may go first, at no cost to the preemption bound. */
void heddle_yield(void);

/* What stands between runs as one operation. Sections nest. Blocking inside one is misuse. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* A line of text in the trace, at this point of this task. */
void heddle_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the program has come to, for delaying explorers (explorer.h): "initialised". The text must
 * stay: a literal. */
void heddle_hint(const char *what);

/* A mailbox: an unbounded queue of pointers. Zeroed memory is an empty mailbox. Sends never block.
 * A predicate looks at the message only: it must not touch other shared data. */
struct heddle_mailbox {
    unsigned long opaque[4];
};
typedef bool heddle_predicate(void *message, void *context);

void heddle_send(struct heddle_mailbox *mailbox, void *message);
void *heddle_receive(struct heddle_mailbox *mailbox);
bool heddle_try_receive(struct heddle_mailbox *mailbox, void **message);
/* The oldest message for which the predicate holds. */
void *heddle_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context);
bool heddle_try_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                           void *context, void **message);

void heddle_assertion_failed(const char *condition, const char *file, int line)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
