/* stack_overflow_right.c - a recursion whose depth is set before the thread starts.
 *
 * expect: verified
 * executions: 1
 *
 * Store, create, load, join: only one order is possible. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Each level keeps its parent, so that no compiler turns the recursion into a loop. */
struct level {
    const struct level *parent;
    char name[1000];
};

static atomic_int depth = -1;

static int height(const struct level *level) {
    int levels = 0;
    for (; level; level = level->parent)
        levels++;
    return levels;
}

static int descend(const struct level *parent, int remaining) {
    struct level level;
    level.parent = parent;
    return remaining == 0 ? height(&level) : descend(&level, remaining - 1);
}

static void *walker(void *unused) {
    (void)unused;
    heddle_assert(descend(NULL, atomic_load(&depth)) == 4);
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_store(&depth, 3);
    pthread_create(&thread, NULL, walker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
