/* futex.h - the futex system call, as syscall() brings it. */
#ifndef NATIVE_FUTEX_H
#define NATIVE_FUTEX_H

#include <stdint.h>

struct task;

/* Returns what the kernel would return: negative error numbers. */
long futex_call(struct task *task, const long *arguments, uint64_t pc);

#endif
