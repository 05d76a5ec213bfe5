/* free_first.c - a block is freed right after the thread that writes to it was created.
 *
 * expect: bug data-race heap-misuse
 * findings: 2
 *
 * The thread cannot write before the free, which comes in the step that creates it. But nothing orders the
 * two. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *writer(void *block) {
    *(int *)block = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, NULL, writer, block);
    free(block);
    pthread_join(thread, NULL);
    return 0;
}
