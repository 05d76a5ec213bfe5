/* divergence_wrong.c - a node that two threads insert becomes its own successor.
 *
 * Who walks the list then never comes to its end, and does nothing on the way that anybody could
 * notice: no operation follows.
 *
 * expect: bug divergence
 * options: --step-timeout=500ms
 * executions: 2
 *
 * One critical section each, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static struct node node;

static void *insert(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    node.next = head;
    head = &node;
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
