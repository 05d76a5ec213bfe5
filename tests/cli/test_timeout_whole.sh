#!/bin/sh
# test_timeout_whole.sh - --timeout is for the whole run: the work on a finding gets the time that is left.
. "$SOURCE/tests/cli/cli.sh"

# One execution takes long before its first operation, so the search for a smaller schedule has not nearly tried all
# of them after its three seconds. With --timeout=1s it ends two seconds earlier; the test asks for one second,
# because the machine may be loaded.
cat >slow.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *x) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return x;
}
int main(void) {
    pthread_t a, b;
    for (long i = 0; i < 300000000; i++)
        __asm__ volatile("");
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    add(NULL);
    pthread_mutex_lock(&m);
    int seen = n;
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (seen < 12) {
        printf("seen %d\n", seen);
        exit(3);
    }
}
END
now_ms() { echo $(($(date +%s%N) / 1000000)); }

runs 0 "$HEDDLE" cc -O1 -o slow slow.c
start=$(now_ms)
runs 1 "$HEDDLE" run --checkpoints=off ./slow
whole=$(($(now_ms) - start))
start=$(now_ms)
runs 1 "$HEDDLE" run --checkpoints=off --timeout=1s ./slow
bounded=$(($(now_ms) - start))
says 'exits with status 3'
says '| seen '
[ $((whole - bounded)) -ge 1000 ] || fail "it took $whole ms, and $bounded ms with --timeout=1s"

# On a terminal a line shows the progress in the meantime, and is removed before the report.
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$HEDDLE' run --checkpoints=off --timeout=1s ./slow" terminal >/dev/null 2>&1 </dev/null
    status=$?
    [ $status -eq 1 ] || fail "on a terminal it ended with $status: $(cat terminal)"
    says 'looking for a smaller schedule' terminal
    says '| seen ' terminal
fi
exit $failed
