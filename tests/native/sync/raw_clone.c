/* A thread created by a direct system call is refused, and the report names the call.
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
