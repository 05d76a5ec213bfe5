/* uses_library.c - two threads pass the same number to a library. The tool does not see what the
 * library does with it. */
#include <pthread.h>

void library_add(int *number);

static int number;

static void *add(void *unused) {
    library_add(&number);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
