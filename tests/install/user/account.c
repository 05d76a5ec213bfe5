/* account.c - a library of the project, with a lost update: the balance is read in one critical section and written in
 * another. Found only if the library is instrumented, or its locks are seen. */
#include "account.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = BALANCE;
static int deposits; /* plain: a data race that only instrumented code shows */

int account_balance(void) {
    pthread_mutex_lock(&mutex);
    int now = balance;
    pthread_mutex_unlock(&mutex);
    return now;
}

void account_deposit(int amount) {
    deposits++;
    pthread_mutex_lock(&mutex);
    balance += amount;
    pthread_mutex_unlock(&mutex);
}
