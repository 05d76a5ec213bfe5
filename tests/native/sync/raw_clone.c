/* Threads behind our back are refused, by name.
 * expect: unsupported
 * text: syscall(SYS_clone3) */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    syscall(SYS_clone3, NULL, 0);
    return 0;
}
