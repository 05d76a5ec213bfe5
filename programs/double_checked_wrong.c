/* double_checked_wrong.c - double-checked locking with a plain pointer.
 *
 * The first look is not ordered with the write under the lock. Another thread may see the pointer
 * but not the data that it points to. Besides, the compiler may reorder these accesses.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

struct settings {
    int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings storage;
static struct settings *instance;

static struct settings *get(void) {
    if (instance)
        return instance;
    pthread_mutex_lock(&lock);
    if (!instance) {
        storage.limit = 42;
        instance = &storage;
    }
    pthread_mutex_unlock(&lock);
    return instance;
}

static void *user(void *unused) {
    (void)unused;
    heddle_assert(get()->limit == 42);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    return 0;
}
