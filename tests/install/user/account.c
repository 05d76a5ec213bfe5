/* account.c - a library of the project, with a lost update: the balance is read in one critical
 * section and written in another. Heddle finds it only if the library is instrumented, or if its
 * locks are seen. */
#include "account.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = BALANCE;
static int deposits; /* plain: this data race is seen only in instrumented code */

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
