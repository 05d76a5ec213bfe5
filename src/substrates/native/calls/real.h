/* real.h - the functions in front of which ours stand. They are used before the program is under
 * control, after that, and by our own code. real_functions.def lists them: one row makes a
 * member of `real`. */
#ifndef NATIVE_REAL_H
#define NATIVE_REAL_H

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Not declared if exceptions are on, or not declared at all. */
void __pthread_register_cancel(__pthread_unwind_buf_t *);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *);
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *);
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *);
void __pthread_unwind_next(__pthread_unwind_buf_t *) __attribute__((noreturn));
int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);

/* The name of longjmp if buffers are checked. */
void __longjmp_chk(struct __jmp_buf_tag *buffer, int value) __attribute__((noreturn));

/* From the C++ ABI; no header declares them. */
int __cxa_atexit(void (*handler)(void *), void *argument, void *library);
void __cxa_finalize(void *library);

struct real_functions {
#define REAL(function) __typeof__(function) *function;
#include "substrates/native/calls/real_functions.def"
#undef REAL
};

extern struct real_functions real;

/* Fills `real`. A second call does nothing. */
void real_resolve(void);

void *real_start_main(void);

#endif
