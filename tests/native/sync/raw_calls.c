/* syscall(): each task has a thread number of its own, time is virtual, and other calls are passed
 * on.
 * expect: verified
 * text: syscall(83) */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long numbers[2];

static void *worker(void *number) {
    *(long *)number = syscall(SYS_gettid);
    heddle_assert(gettid() == *(long *)number);
    return NULL;
}

int main(void) {
    static struct timespec time; /* in a page that was never written to */
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &numbers[1]);
    worker(&numbers[0]);
    pthread_join(thread, NULL);
    heddle_assert(numbers[0] == getpid() && numbers[1] != numbers[0]);
    heddle_assert(syscall(SYS_clock_gettime, CLOCK_REALTIME, &time) == 0);
    heddle_assert(time.tv_sec == 1577836800); /* the start of virtual time */
    heddle_assert(syscall(SYS_mkdir, "/proc/nowhere", 0700) == -1 && errno == ENOENT);
    return 0;
}
