/* reserve.c - a ring in which a place is reserved by compare-exchange. The writer then waits until the readers are done
 * with what was reserved before, and the reader until the writers are. One item is there from the start. A writer adds
 * one, and a reader takes items until it finds none. 6 executions:
 *
 * The writer reserves before the reader does: the reader has looked before, so it fails once, or after. It takes both
 * items, and waits for the second one: 2.
 * The reader reserves first: the writer has looked before, and fails once, or after. It waits until the first item is
 * taken. The reader then looks for a second item before the writer reserves, and finds none, or after: 2 * 2.
 *
 * (A failed exchange keeps what it has read, so it is an operation: see retry.c. Without it there were 3 executions,
 * since when the first look was made would not matter.) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct reserved {
    unsigned short reads, writes;
};

static _Atomic struct reserved reserved;
static atomic_ushort read, written = 1;
static int items[2] = {1}, sum;

static void *writer(void *unused) {
    struct reserved seen = atomic_load(&reserved), next;
    do {
        next = (struct reserved){seen.reads, (unsigned short)(seen.writes + 1)};
    } while (!atomic_compare_exchange_strong(&reserved, &seen, next));
    while (atomic_load(&read) != seen.reads)
        ;
    items[seen.writes % 2] = 2;
    atomic_fetch_add(&written, 1);
    return unused;
}

static void *reader(void *unused) {
    for (;;) {
        struct reserved seen = atomic_load(&reserved), next;
        do {
            if (seen.reads == seen.writes)
                return unused;
            next = (struct reserved){(unsigned short)(seen.reads + 1), seen.writes};
        } while (!atomic_compare_exchange_strong(&reserved, &seen, next));
        while (atomic_load(&written) != seen.writes)
            ;
        sum += items[seen.reads % 2];
        atomic_fetch_add(&read, 1);
    }
}

int main(void) {
    pthread_t threads[2];
    atomic_store(&reserved, ((struct reserved){0, 1}));
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(sum == 1 || sum == 3);
    return 0;
}
