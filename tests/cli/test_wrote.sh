#!/bin/sh
# The report contains the program's output in the failing execution. Without it a user would not know which check of a
# test framework failed: the exit status only says that one did.
. "$SOURCE/tests/cli/cli.sh"

# The update is lost if the other task runs between load and store, and only then a line with a 1 is printed. So the
# line must come from the execution of the report. \033 must not reach the terminal. Of 100 lines the last 20 are
# kept.
cat >check.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int x;
static void *add(void *unused) {
    atomic_store(&x, atomic_load(&x) + 1);
    return unused;
}
int main(int count, char **arguments) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 98; i++)
        printf("line %d\n", i);
    fflush(stdout);
    fprintf(stderr, "\033[31mexpected: 2, is: %d\n", atomic_load(&x));
    if (x != 2 && count > 1)
        abort();
    printf("the end\n");
    return x != 2;
    (void)arguments;
}
END
runs 0 "$HEDDLE" cc -o check check.c
for options in --minimise=on --minimise=off; do
    runs 1 "$HEDDLE" run $options --json=check.json ./check
    says '^==.*: non-zero exit'
    says '^The program wrote:$'
    says '^  | .*expected: 2, is: 1$'
    says '^  | the end$'
    says '^  | line 97$'
    [ "$(grep -c '^  | ' out)" -ge 20 ] || fail "fewer than 20 lines: $(cat out)"
    says_not '^  | line 79$'
    says_not "$(printf '\033')"
    says 'expected: 2, is: 1' check.json
    runs 0 "$HEDDLE" show -s check.trace
    grep -q '^wrote	the end$' check.trace || fail "the trace does not know it"
    runs 1 "$HEDDLE" replay check.trace
done
runs 0 "$HEDDLE" report check.trace -o check.html
says 'expected: 2, is: 1' check.html
runs 1 "$HEDDLE" run ./check abort
says '^  | .*expected: 2, is: 1$'
says_not '^  | the end$'

# An assertion needs no output of the program, and for a deadlock the output does not matter.
runs 1 "$HEDDLE" run "$programs/abba_wrong"
says_not 'The program wrote'
exit $failed
