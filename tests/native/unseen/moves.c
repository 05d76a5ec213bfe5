/* moves.c - two threads increment by moves in assembly, and one increment may be lost. None of the
 * instructions is special. */
#include <pthread.h>

#include "moves.h"

static int number;

__attribute__((noinline)) static void *add(void *unused) {
#ifdef OPERAND
    __asm__ volatile("movl %0, %%eax; incl %%eax; movl %%eax, %0" : "+m"(number) : : "eax");
#else
    move_up(&number);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
