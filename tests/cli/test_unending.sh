#!/bin/sh
# test_unending.sh - searches that do not end: the output names the loop, and options that would end the search.
. "$SOURCE/tests/cli/cli.sh"

# Two tasks that lock in opposite orders and back off: both can do so forever.
cat >backoff.c <<'END'
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            return;
        pthread_mutex_unlock(first);
#ifdef YIELD
        sched_yield();
#endif
    }
}
static void *worker(void *unused) {
    lock_both(&a, &b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    lock_both(&b, &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(thread, NULL);
    return 0;
}
END
# The same by the C++ library, whose lines are not the user's.
cat >scoped.cpp <<'END'
#include <mutex>
#include <thread>
static std::mutex a, b;
int main() {
    std::thread thread([] { std::scoped_lock both(a, b); });
    { std::scoped_lock both(b, a); }
    thread.join();
}
END
# One task backs off as long as the other holds b, and looks at a: held, free, held, free, ...
cat >watched.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&a);
        if (pthread_mutex_trylock(&b) == 0)
            break;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static int held(void) {
    if (pthread_mutex_trylock(&a) != 0)
        return 1;
    pthread_mutex_unlock(&a);
    return 0;
}
int main(int argc, char **argv) {
    pthread_t thread;
    int rounds = argc > 1 ? atoi(argv[1]) : 1, seen = 0;
    pthread_mutex_lock(&b);
    pthread_create(&thread, NULL, worker, NULL);
    for (int i = 0; i < rounds; i++) {
        seen += held();
        seen += !held();
    }
    pthread_mutex_unlock(&b);
    pthread_join(thread, NULL);
    assert(seen < 2 * rounds);
    return 0;
}
END
# A task that waits, and counts its attempts.
cat >counts.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *worker(void *tries) {
    while (!atomic_load(&done))
        ++*(volatile int *)tries;
    return NULL;
}
int main(void) {
    pthread_t thread;
    int tries = 0;
    pthread_create(&thread, NULL, worker, &tries);
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
    return 0;
}
END
# A loop that has an end.
cat >finite.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *add(void *unused) {
    for (int i = 0; i < 200; i++)
        atomic_fetch_add(&sum, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
END
# 150 additions of each thread. Then the worker counts its looks until main is done.
cat >behind.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum, done, looks;
static void *worker(void *unused) {
    for (int i = 0; i < 150; i++)
        atomic_fetch_add(&sum, 1);
    while (!atomic_load(&done))
        atomic_fetch_add(&looks, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 150; i++)
        atomic_fetch_add(&sum, 1);
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
    return 0;
}
END
# A loop that locks in order to look, and a try somewhere else.
cat >look_and_try.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *worker(void *unused) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
#ifdef TRY
    if (pthread_mutex_trylock(&other) == 0)
        pthread_mutex_unlock(&other);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
# One execution that never ends.
cat >slow.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *add(void *unused) {
    for (;;) {
        for (volatile int i = 0; i < 200000; i++)
            ;
        atomic_fetch_add(&sum, 1);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    return 0;
}
END
for name in backoff watched counts finite slow behind look_and_try; do
    "$HEDDLE" cc -g -O1 -o $name $name.c || fail "$name does not compile"
done
"$HEDDLE" cc -g -O1 -DYIELD -o yields backoff.c || fail "backoff.c does not compile"
"$HEDDLE" cc -g -O1 -DTRY -o tries look_and_try.c || fail "look_and_try.c does not compile"
"$HEDDLE" c++ -std=c++17 -g -O1 -o scoped scoped.cpp || fail "scoped does not compile"

# tips: prints all tips in a.json, in one line.
tips() {
    grep -q '^  "tips": \[' a.json || echo 'no list of "tips" in a.json, but a "name" and a "loop"'
    tr -d '\n' <a.json | sed 's/.*"tips": \[//; s/\],.*//; s/  */ /g'
}
tells() {
    tips | grep -q -e "$1" || fail "no '$1' in: $(tips)"
}
tells_not() {
    tips | grep -q -e "$1" && fail "'$1' in: $(tips)"
}

# The output names the tasks that loop, and what would end the search. The rest of the search is not estimated.
runs 3 "$HEDDLE" run --max-executions=300 --json=a.json ./backoff
tells '^ { "name": "loop", "text": "execution [0-9,]* has [0-9,]* steps: T1 (worker) goes round at backoff.c:6, backoff.c:7 and backoff.c:9\. If that is to try, let go and try again, '
# A failed try may hide a data race from a search by states, so the tip does not name one.
tells '{ "name": "end", "text": "--strategy=dfs --delays=2 --max-steps=1000 ends the search for what lies within\."'
tells_not '"bound"'
says_not '^  left '
says '"estimate": null' a.json
[ "$(grep -c '^  tip ' out)" -le 3 ] || fail "more than three tips"
runs 3 "$HEDDLE" run --max-executions=300 --json=a.json ./scoped
tells 'steps: T0 (main) and T1 go round at std::lock<std::mutex, std::mutex>\. '
runs 3 "$HEDDLE" run --max-executions=300 --isolate=fork --json=a.json ./scoped
tells 'steps: T0 (main) and T1 go round at std::lock<std::mutex, std::mutex>\. '
runs 3 "$HEDDLE" run --max-executions=300 --strategy=dfs --json=a.json ./yields
tells 'steps: T[01] ([a-z]*) goes round at backoff.c:'
tells '"--strategy=dfs --delays=2 --max-steps=1000 ends '

# An interrupted run prints the same.
runs 3 timeout --preserve-status -s INT 2 "$HEDDLE" run --strategy=optimal --json=a.json ./backoff
says '^heddle: no bug so far: an interrupt ended the search after '
tells 'T1 (worker) goes round at '

# The options that the tips name do end the search.
for name in backoff yields scoped; do
    # A failed trylock shows something of the other task without being ordered after it: a race could hide there.
    runs 3 "$HEDDLE" run --strategy=ses --json=a.json ./$name
    says '^heddle: not verified: no bug in all [0-9,]* states; data races behind operations that order nothing'
    runs 0 "$HEDDLE" run --strategy=ses --races=explore --json=a.json ./$name
    says '^heddle: verified: all [0-9,]* states'
    tells_not name
    runs 0 "$HEDDLE" run --strategy=dfs --delays=2 --max-steps=1000 ./$name
    says '^heddle: no bug within the bound: all [0-9,]* executions with at most 2 delays'
done

# Options that the user has given already are not named again. The output also says that many executions were cut off.
runs 3 "$HEDDLE" run --preemptions=2 --max-executions=2000 --json=a.json ./yields
tells '"--strategy=dfs --delays=2 --max-steps=1000 in place of --preemptions ends '
runs 3 "$HEDDLE" run --delays=2 --max-executions=200 --json=a.json ./backoff
tells '"--strategy=dfs --max-steps=1000 ends '
runs 3 "$HEDDLE" run --delays=2 --max-steps=500 --json=a.json ./backoff
says '^heddle: no bug so far: .* longer than 500 steps and were cut off'
tells 'T1 (worker) goes round at '
tells '"--strategy=dfs ends '

# A loop that counts never returns to an earlier state. So a search by states does not end either, and does not
# recommend itself.
runs 3 "$HEDDLE" run --strategy=ses --json=a.json ./counts
tells 'T1 (worker) goes round at counts.c:5 and counts.c:6\. A loop that polls '
tells '"end", "text": "--strategy=dfs --delays=2 --max-steps=1000 ends '
runs 0 "$HEDDLE" run --strategy=dfs --delays=2 --max-steps=1000 ./counts

# Such loops are not parked: other tasks can see each round, and a bug can need any number of rounds.
for rounds in 1 2 5; do
    runs 1 "$HEDDLE" run --strategy=ses --minimise=off ./watched $rounds
    says '^SUMMARY: heddle: assertion failed'
done

# A bound on steps leaves room for executions that end: the shortest has 150 + 150 operations and a few more, so it is
# four times as long, in thousands. It also completes the search.
runs 3 "$HEDDLE" run --strategy=optimal --max-executions=300 --json=a.json ./behind
tells ' --strategy=dfs --delays=2 --max-steps=2000 ends '
runs 0 "$HEDDLE" run --strategy=dfs --delays=2 --max-steps=2000 ./behind

# If no execution has ended, the program may be long, and not endless.
runs 3 "$HEDDLE" run --strategy=optimal --max-steps=300 --max-executions=300 --json=a.json ./behind
tells '"end", "text": "No execution has come to its end\. If the program is not endless, but long, it needs a larger --max-steps '
runs 3 "$HEDDLE" run --strategy=optimal --max-executions=300 --json=a.json ./behind
tells_not 'No execution has come to its end'

# A failed try outside the loop may hide a data race from a search by states, too.
runs 3 "$HEDDLE" run --strategy=optimal --max-executions=300 --json=a.json ./look_and_try
tells '"--strategy=ses visits each state once'
runs 3 "$HEDDLE" run --strategy=optimal --max-executions=300 --json=a.json ./tries
tells '"end", "text": "--strategy=dfs --delays=2 '

# There is no tip about a loop that ends, nor after a search that is complete.
runs 3 "$HEDDLE" run --max-executions=300 --json=a.json ./finite
tells_not '"loop"'
says '^  left '
runs 0 "$HEDDLE" run -v --json=a.json "$programs/trylock_dining_right"
tells_not '"loop"'

# One execution takes all the time: the progress line says so, and so does the summary.
runs 3 "$HEDDLE" run --timeout=1s --strategy=dfs --json=a.json ./slow
tells '"text": "execution 1 has [0-9,]* steps: T0 (main) goes round at slow.c:8\. A loop that polls '
tells ' --max-steps=1000 ends '
if command -v script >/dev/null; then
    script -qec "stty cols 80; $HEDDLE run --strategy=dfs --timeout=2s ./slow" /dev/null >out 2>&1 </dev/null
    says 'heddle: 0 executions, 0 findings, execution 1 has [0-9,]* steps, '
    script -qec "stty cols 80; $HEDDLE run --timeout=1s ./scoped" /dev/null >out 2>&1 </dev/null
    says 'heddle: [0-9,]* executions, 0 findings, longer and longer (Ctrl-C says where), '
fi

exit $failed
