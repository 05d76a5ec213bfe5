/* section.h - atomic sections: heddle_atomic_begin and end (section.c), and functions that are
 * atomic by their names (atomic_functions.c). What they may touch unseen: section_sight.c. */
#ifndef NATIVE_SECTION_H
#define NATIVE_SECTION_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* Some code that a section of the program may run makes accesses that are not seen. */
extern bool sections_hide;

/* Before main, after the atomic functions were found: finds out whether sections_hide. */
void sections_prepare(void);

void section_begin(uint64_t pc);
/* Begins a section of our own, whose accesses are all seen. */
void section_begin_seen(uint64_t pc);
void section_end(uint64_t pc);

/* --- atomic functions --- */

extern uint32_t atomic_function_count;

/* Finds the atomic functions of the program, before main. */
void atomic_functions_find(void);
/* An instrumented function is entered or left. Called by a jump (plain.c). */
__attribute__((noinline)) void atomic_function_entered(struct task *task);
__attribute__((noinline)) void atomic_function_exited(struct task *task);
/* Before an operation: whether a longjmp has left the atomic function, and no section is open
 * any more. */
bool atomic_function_left(struct task *task);
/* The thread ends inside an atomic function. */
void atomic_function_abandoned(struct task *task);

#endif
