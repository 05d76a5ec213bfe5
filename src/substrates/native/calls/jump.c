/* jump.c - sigsetjmp and siglongjmp, as far as they concern the signal mask.
 *
 * The C library saves and restores the kernel's mask. The program's mask is ours (traits.h). It
 * is kept in the part of the buffer that the C library reserves for more signals than the kernel
 * has. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <setjmp.h>

#include "substrates/native/calls/real.h"
#include "substrates/native/calls/signal.h"
#include "substrates/native/interpose.h"
#include "substrates/native/tasks/traits.h"

enum {
    OWN_MASK = 1,
    OWN_MARK
}; /* the words of the saved mask that we use; the kernel uses the first */
#define MARK 0x6d61736b68656464u

/* Assembly refers to these by name. */
__attribute__((used)) void *real_sigsetjmp;
__attribute__((used)) void jump_save_mask(struct __jmp_buf_tag *buffer);

void jump_resolve(void *function) {
    real_sigsetjmp = function;
}

void jump_save_mask(struct __jmp_buf_tag *buffer) {
    const struct task *task = rt.current;
    buffer->__saved_mask.__val[OWN_MARK] = task != NULL ? MARK : 0;
    buffer->__saved_mask.__val[OWN_MASK] =
        task != NULL && task->traits != NULL ? task->traits->signals_blocked : 0;
}

/* Without a frame, because the function behind it returns twice. */
__attribute__((naked, visibility("default"))) int own_sigsetjmp(void) __asm__("__sigsetjmp");
int own_sigsetjmp(void) {
    __asm__("test %esi, %esi\n\t"
            "jz 1f\n\t"
            "push %rdi\n\t"
            "push %rsi\n\t"
            "sub $8, %rsp\n\t"
            "call jump_save_mask\n\t"
            "add $8, %rsp\n\t"
            "pop %rsi\n\t"
            "pop %rdi\n"
            "1: jmp *real_sigsetjmp(%rip)");
}

static void put_mask_back(const struct __jmp_buf_tag *buffer, uint64_t pc) {
    if (rt.current != NULL && buffer->__mask_was_saved &&
        buffer->__saved_mask.__val[OWN_MARK] == MARK)
        signal_set_mask(rt.current, buffer->__saved_mask.__val[OWN_MASK], pc);
}

#define JUMP(function) \
    EXPORT void own_##function(struct __jmp_buf_tag *buffer, int value) __asm__(#function); \
    void own_##function(struct __jmp_buf_tag *buffer, int value) { \
        put_mask_back(buffer, CALLER_ADDRESS); \
        real.function(buffer, value); \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
