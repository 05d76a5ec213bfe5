/* leaked_lock.c - a thread ends with a mutex locked. The block that contains the mutex is used
 * after it was freed.
 *
 * expect: bug heap-misuse leaked-lock
 * findings: 2
 * complete: true
 *
 * The program goes on without the thread, although the mutex stays locked. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static void *pay(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->mutex);
    account->balance = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->mutex, NULL);
    pthread_create(&thread, NULL, pay, account);
    pthread_join(thread, NULL);
    free(account);
    account->balance = 2;
    return 0;
}
