/* Waiting with a mutex that the task does not hold is misuse. With an error-checking mutex it is an
 * error.
 * expect: bug sync-misuse
 * text: a mutex that the task does not hold */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    heddle_assert(pthread_cond_wait(&never, &checking) == EPERM);
    pthread_cond_wait(&never, &lock);
    return 0;
}
