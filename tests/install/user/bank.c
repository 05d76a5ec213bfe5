/* bank.c - an executable of the project: two deposits at the same time; the race is in the library.
 * With an argument there is only one deposit. */
#include <pthread.h>

#include "account.h"

static void *deposit(void *unused) {
    account_deposit(1);
    return unused;
}

int main(int count, char **arguments) {
    (void)arguments;
    pthread_t other;
    if (count > 1) {
        account_deposit(1);
        return account_balance() != 101;
    }
    pthread_create(&other, 0, deposit, 0);
    account_deposit(1);
    pthread_join(other, 0);
    return 0;
}
