/* free_first.c - a block is freed right after the creation of the thread that writes to it.
 *
 * expect: bug data-race heap-misuse
 * findings: 2
 *
 * The free comes in the step that creates the thread, so the thread cannot write before the
 * free. But nothing orders the write and the free. */
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
