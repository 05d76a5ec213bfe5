#!/bin/sh
# Minimising counts steps too: nobody reads a thousand steps to save a switch or two (strategies/minimise/way.h).
. "$SOURCE/tests/cli/cli.sh"

# steps TRACE: the decisions who moves. evidence TRACE N: a field of that record.
steps() {
    grep -c '^decision	schedule' "$1"
}
evidence() {
    sed -n 's/^evidence\t//p' "$1" | cut -f "$2"
}

# Another task sets and clears x 500 times, and leaves it set. The bug is that main sees it set. There must be two
# switches, main - other - main, and no execution with fewer shows it: main creates the other task and must see what that
# did. Without a preemption the other task runs to its end first: a thousand steps. With one, main looks after the first
# store: create, store, load, and what begins a task; eight at most.
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

# The same, but main looks three times, and the bug is set, clear, set; or that the other task has done all it has to.
# The first needs six switches (main - other - main - other - main - other - main) and a dozen steps, the second two
# switches and a thousand steps. The first is shown, and it is not said that it does not happen with fewer switches.
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

# A consumer that tries again and again: a bounded queue with one place, whose producer looks whether it is full by a
# counter that is updated outside of the lock. It is wrong in the first round already. The schedule of any round is: put,
# take, and the producer's late update; rounds before it are not needed, so a hundred steps are far too many.
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
