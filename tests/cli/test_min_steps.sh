#!/bin/sh
# Minimising also counts steps: nobody wants to read a thousand steps to save one or two switches
# (strategies/minimise/way.h).
. "$SOURCE/tests/cli/cli.sh"

# steps TRACE: prints the number of decisions which task moves. evidence TRACE N: prints the N-th field of that
# record.
steps() {
    grep -c '^decision	schedule' "$1"
}
evidence() {
    sed -n 's/^evidence\t//p' "$1" | cut -f "$2"
}

# Another task sets and clears x 500 times, and leaves it set. The bug is that main sees it set. Two switches are
# necessary, main - other - main: main creates the other task and must see its result. Without a preemption the other
# task runs to its end first, which takes a thousand steps. With one preemption, main looks after the first store:
# create, store, load, and the steps that begin a task; at most eight steps.
cat >early.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static void *other(void *unused) {
    for (int i = 0; i < 500; i++) {
        atomic_store(&x, 1);
        atomic_store(&x, 0);
    }
    atomic_store(&x, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    if (atomic_load(&x) == 1)
        abort();
    pthread_join(thread, NULL);
}
END
runs 0 "$HEDDLE" cc -o early early.c
for strategy in optimal random; do
    runs 1 "$HEDDLE" run --strategy=$strategy ./early
    says '^Smallest schedule: 2 context switches.*; with fewer this'
    [ "$(steps early.trace)" -le 8 ] || fail "$strategy: $(steps early.trace) steps, where eight at most are needed"
    runs 1 "$HEDDLE" replay early.trace
done

# The same, but main looks three times. The bug is that main sees "set, clear, set", or that the other task has done
# all its work. The first case needs six switches (main - other - main - other - main - other - main) and a dozen
# steps, the second case two switches and a thousand steps. The report shows the first case, and does not claim that
# fewer switches are not enough.
sed 's/if (atomic_load(&x) == 1)/if ((atomic_load(\&x) == 1 \&\& atomic_load(\&x) == 0 \&\& atomic_load(\&x) == 1) || atomic_load(\&y))/
     s/^static atomic_int x;/static atomic_int x, y;/
     s/^    return unused;/    atomic_store(\&y, 1);\n    return unused;/' early.c >traded.c
runs 0 "$HEDDLE" cc -o traded traded.c
for strategy in optimal random; do
    runs 1 "$HEDDLE" run --strategy=$strategy --json=traded.json ./traded
    says '^Smallest schedule: 6 context switches'
    says_not 'this does not happen'
    [ "$(steps traded.trace)" -le 16 ] || fail "$strategy: $(steps traded.trace) steps, where a dozen are needed"
    [ "$(evidence traded.trace 1)" = traded ] || fail "$strategy: two switches are enough, but: $(grep '^evidence' traded.trace)"
    says '"smallest": "traded"' traded.json
    runs 1 "$HEDDLE" replay traded.trace
done
says 'with fewer it takes many more'

# A consumer that tries again and again: a bounded queue with one place, whose producer tests a counter that is
# updated outside of the lock. The first round is wrong already. The schedule of each round is: put, take, and the
# producer's late update. Earlier rounds are not needed, so a hundred steps would be far too many.
cat >retry.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { ROUNDS = 300 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;
static atomic_int announced;
static void *produce(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        items++;
        pthread_mutex_unlock(&mutex);
        atomic_fetch_add(&announced, 1); /* late */
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (int taken = 0, tries = 0; taken < ROUNDS && tries < 2 * ROUNDS; tries++) {
        pthread_mutex_lock(&mutex);
        int got = items > 0;
        items -= got;
        pthread_mutex_unlock(&mutex);
        taken += got;
        if (got && atomic_fetch_sub(&announced, 1) == 0)
            abort(); /* taken before it was announced */
    }
    pthread_join(thread, NULL);
}
END
runs 0 "$HEDDLE" cc -o retry retry.c
runs 1 "$HEDDLE" run --strategy=random --seed=3 ./retry
[ "$(steps retry.trace)" -le 20 ] || fail "$(steps retry.trace) steps, where the first round is enough"
runs 1 "$HEDDLE" replay retry.trace
exit $failed
