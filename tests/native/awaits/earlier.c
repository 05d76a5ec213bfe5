/* A look that does not pass at the end, nor before the last store, but before the one before that. A search plans the
 * look before the last store, as long as it does not know what the look does with that value. Then it waits there, and
 * must be planned earlier still. One task stores 1, another one 2 and then 3, and the third one waits for 1.
 * 5 executions: 1 look 2 3; 1 2 3, and the look waits for ever; 2 1 look 3; 2 1 3, likewise; 2 3 1 look. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int other, value;

static void *one(void *none) {
    atomic_store(&value, 1);
    return none;
}

static void *two_three(void *none) {
    atomic_store(&value, 2);
    atomic_store(&value, 3);
    return none;
}

static void *wait_for_one(void *none) {
    (void)atomic_load(&other);
    while (atomic_load(&value) != 1)
        ;
    return none;
}

int main(void) {
    pthread_t tasks[3];
    pthread_create(&tasks[0], NULL, one, NULL);
    pthread_create(&tasks[1], NULL, two_three, NULL);
    pthread_create(&tasks[2], NULL, wait_for_one, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(tasks[i], NULL);
    return 0;
}
