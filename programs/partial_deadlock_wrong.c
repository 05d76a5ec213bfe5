/* partial_deadlock_wrong.c - two detached threads deadlock with each other, while main goes on and
 * returns.
 *
 * The program ends normally, which hides that two of its threads were stuck. This is a deadlock,
 * whatever main does.
 *
 * expect: bug deadlock */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static int files, entries;

static void *add_file(void *unused) {
    (void)unused;
    pthread_mutex_lock(&file_lock);
    pthread_mutex_lock(&index_lock);
    files++;
    entries++;
    pthread_mutex_unlock(&index_lock);
    pthread_mutex_unlock(&file_lock);
    return NULL;
}

static void *clean_index(void *unused) {
    (void)unused;
    pthread_mutex_lock(&index_lock);
    pthread_mutex_lock(&file_lock);
    entries = files;
    pthread_mutex_unlock(&file_lock);
    pthread_mutex_unlock(&index_lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, add_file, NULL);
    pthread_create(&thread, &detached, clean_index, NULL);
    return 0;
}
