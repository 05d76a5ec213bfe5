/* once.c - volatile accesses of two tasks, as READ_ONCE and WRITE_ONCE of the Linux kernel make
 * them. By the C standard they race (--volatile=plain). As relaxed atomics (--volatile=atomic) they
 * do not. The fences on both sides then order the data: a load that sees the flag comes after the
 * write. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle/heddle.h>

static int flag, data;

static void *work(void *unused) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    *(volatile int *)&flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (*(volatile int *)&flag) {
        atomic_thread_fence(memory_order_acquire);
        heddle_assert(data == 1);
    }
    pthread_join(thread, NULL);
}
