/* fence.h - see fence.c. */
#ifndef NATIVE_FENCE_H
#define NATIVE_FENCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Before main, while there is one thread. The filter then holds for all threads and children. */
void fence_install(void);
/* Whether this SIGSYS comes from the fence. */
bool fence_met(const siginfo_t *info);
/* Ends the execution as unsupported. `pc` is the place after the instruction. */
_Noreturn void fence_refuse(const siginfo_t *info, uint64_t pc);

#endif
