/* harmless.c - inline assembly that shares nothing: a barrier for the compiler, a computation in
 * registers, an operand that is a local variable, a pause, an address. Also a name that is given by
 * assembly. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;
void *work(void *unused) __asm__("work_by_another_name");

void *work(void *unused) {
    int local = 1, result;
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("movl %1, %0" : "=r"(result) : "m"(local));
    __asm__ volatile("addl %1, %0; pause; leal 1(%0), %0" : "+r"(result) : "r"(local));
    pthread_mutex_lock(&mutex);
    number += result;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return number == 6 ? 0 : 1;
}
