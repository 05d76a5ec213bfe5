/* A routine that calls pthread_once on its own control waits for itself.
 * expect: bug deadlock */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void routine(void) {
    pthread_once(&once, routine);
}

int main(void) {
    pthread_once(&once, routine);
    return 0;
}
