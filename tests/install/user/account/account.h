/* account.h - see account.c. */
int account_balance(void);
void account_deposit(int amount);
