/* outcome.h - how an execution ends before its time: findings, and calls that cannot be controlled
 * (outcome.c). A function that does not return abandons the execution. */
#ifndef NATIVE_OUTCOME_H
#define NATIVE_OUTCOME_H

#include "engine/system.h"
#include "execution/finding.h"

struct task;

/* --- findings --- */

_Noreturn void found(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same for a fault that does not end the program: with --keep-going, the task goes on. */
void found_on_the_way(struct task *task, enum finding_kind kind, uint64_t object, uint64_t pc,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* As found(), if the place depends on when the fault was noticed. */
_Noreturn void found_somewhere(struct task *task, enum finding_kind kind, uint64_t pc,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
_Noreturn void found_with(struct finding *finding);
/* Adds the place where `task` stands, with its stack if this is the repetition. */
void finding_place(struct finding *finding, struct task *task, uint64_t pc, const char *title);
/* Engine side: a task that stands before its failure moves. */
void native_fail(const struct task *task);

/* --- ends --- */

_Noreturn void end_execution(enum outcome outcome);
/* The program makes a call that cannot be controlled. The message names the call; exit code 5. */
_Noreturn void unsupported(const char *call, uint64_t pc, const char *why);

/* --- calls that are not controlled, in the ledger --- */

/* The call is harmless enough to go on. */
void uncontrolled(const char *call, const char *why, uint64_t pc);
/* The same for a call that changes nothing outside of the memory that we put back: states can be
 * saved. */
void noted(const char *call, const char *why, uint64_t pc);
/* The call gives fewer values than it could. This is a bound, which the verdict names. */
void narrowed(const char *call, const char *why, uint64_t pc);

/* The first call of this execution whose effect cannot be put back; NULL: there is none. */
const char *made_lasting_call(void);
/* A new execution begins. */
void forget_lasting_calls(void);

#endif
