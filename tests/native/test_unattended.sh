#!/bin/sh
# A program that was compiled by `heddle cc` and is started without `heddle run` is an ordinary
# program: its threads are real, and allocate memory at the same time.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/lists.c" <<'END'
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { THREADS = 16, ROUNDS = 2000, TEXT = 40 };
struct node { struct node *next; long owner; char text[TEXT]; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *first;
static long total;
static void push(struct node *node) {
    pthread_mutex_lock(&lock);
    node->next = first;
    first = node;
    pthread_mutex_unlock(&lock);
}
static struct node *pop(void) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    first = node->next;
    total++;
    pthread_mutex_unlock(&lock);
    return node;
}
static void *work(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        struct node *node = calloc(1, sizeof *node);
        node = realloc(node, sizeof *node + (size_t)i % 7);
        if (malloc_usable_size(node) < sizeof *node)
            abort();
        node->owner = (long)arg;
        memset(node->text, (int)(long)arg, TEXT);
        push(node);
        node = pop();
        for (int k = 0; k < TEXT; k++)
            if (node->text[k] != (char)node->owner)
                abort();
        free(node);
    }
    return NULL;
}
int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return total != THREADS * ROUNDS;
}
END
"$HEDDLE" cc -g -O1 -o "$work/lists" "$work/lists.c" || fail "lists.c does not compile"
objdump -p "$work/lists" | grep -q 'NEEDED.*libheddle\.so' || fail "lists is not linked to the runtime"
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    checked=$((checked + 1))
    "$work/lists" || fail "round $round: status $?"
done
finish
