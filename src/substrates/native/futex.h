/* futex.h - the futex system call, as syscall() brings it. */
#ifndef NATIVE_FUTEX_H
#define NATIVE_FUTEX_H

#include "substrates/native/runtime.h"

/* Its result as the kernel gives it: negative error numbers. */
long futex_call(struct task *task, const long *arguments, uint64_t pc);

#endif
