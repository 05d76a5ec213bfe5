/* endless.c - if the thread comes first, it makes main stop. Otherwise main loops forever, through
 * the same states. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int running, stop;

static void *ask(void *unused) {
    if (running == 0)
        stop = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ask, NULL);
    running = 1;
    while (stop == 0) {
        running = 2;
        running = 1;
    }
    pthread_join(thread, NULL);
    return 0;
}
