/* assembly.c - two threads count by locked instructions in assembly. Heddle sees neither of them:
 * there is one execution, and nothing is known about the order of the two. */
#include <pthread.h>

static int count;

static void *add(void *unused) {
    __asm__ volatile("lock incl %0" : "+m"(count));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return count == 2 ? 0 : 1;
}
