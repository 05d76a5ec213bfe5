/* divergence_right.c - two threads insert the same node, which is inserted only once: the list has
 * an end.
 *
 * expect: verified
 * executions: 2
 *
 * One critical section each, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *next;
    bool listed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static struct node node;

static void *insert(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (!node.listed) {
        node.listed = true;
        node.next = head;
        head = &node;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, insert, NULL);
    insert(NULL);
    pthread_join(thread, NULL);

    unsigned length = 0;
    for (const struct node *n = head; n; n = n->next)
        length++;
    heddle_assert(length == 1);
    return 0;
}
