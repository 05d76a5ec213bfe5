/* raw.c - system calls without errno. The C library's wrappers write errno through the FS base,
 * which may be any task's. Ours leave the program's state alone. */
#include <stdarg.h>

#include "substrates/native/native.h"

long native_syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    register long d __asm__("r10") = va_arg(list, long);
    register long e __asm__("r8") = va_arg(list, long);
    register long f __asm__("r9") = va_arg(list, long);
    va_end(list);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    return result;
}
