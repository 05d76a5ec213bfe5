#!/bin/sh
# test_stages.sh - `heddle run` without --strategy: where optimal comes to no end, states and then samples follow.
. "$SOURCE/tests/cli/cli.sh"

# A worker counts its ticks until it is told to stop. The other task fails. Its first operation is independent of the
# worker's loop, so no race ever says that it must be tried.
cat >ticks.c <<'END_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, ticks, own;
static void *worker(void *unused) {
    while (!atomic_load(&stop))
        atomic_fetch_add(&ticks, 1);
    return unused;
}
static void *checker(void *unused) {
    assert(atomic_load(&own) == EXPECTED);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, checker, NULL);
    pthread_join(threads[1], NULL);
    atomic_store(&stop, 1);
    pthread_join(threads[0], NULL);
    return 0;
}
END_C
# A loop that locks in order to look, and so comes back to a state.
cat >look.c <<'END_C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = done;
        pthread_mutex_unlock(&lock);
        if (seen)
            return unused;
    }
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
END_C
# Two tasks lock in two orders, and back off.
cat >scoped.cpp <<'END_C'
#include <mutex>
#include <thread>
static std::mutex a, b;
int main() {
    std::thread thread([] { std::scoped_lock both(a, b); });
    { std::scoped_lock both(b, a); }
    thread.join();
}
END_C
# A bug behind a loop that locks in order to look: it needs 3,000 looks in vain, in a state that does not count them.
cat >deep.c <<'END_C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step;
static int look(void) {
    pthread_mutex_lock(&lock);
    int seen = step;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void set(int value) {
    pthread_mutex_lock(&lock);
    step = value;
    pthread_mutex_unlock(&lock);
}
static void *worker(void *unused) {
    while (look() != 1)
        ;
    assert(look() != 2);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    set(1);
    set(2);
    set(1);
    pthread_join(thread, NULL);
    return 0;
}
END_C
# A loop that counts, and one that locks in order to look.
cat >both.c <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks, stop;
static void *counter(void *unused) {
    while (!atomic_load(&stop))
        atomic_fetch_add(&ticks, 1);
    return unused;
}
static void *looker(void *unused) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = atomic_load(&stop);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, counter, NULL);
    pthread_create(&threads[1], NULL, looker, NULL);
    atomic_store(&stop, 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END_C
# Many tasks move twice each, while main locks in order to look.
cat >crowd.c <<'END_C'
#include <pthread.h>
enum { VISITORS = 40 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *visitor(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t threads[VISITORS];
    for (int i = 0; i < VISITORS; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    for (int seen = 0; seen < 2 * VISITORS;) {
        pthread_mutex_lock(&lock);
        seen = count;
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < VISITORS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_C
"$HEDDLE" cc -g -O1 -DEXPECTED=1 -o ticks ticks.c || fail "ticks.c does not compile"
"$HEDDLE" cc -g -O1 -DEXPECTED=0 -o ticks_right ticks.c || fail "ticks.c does not compile"
"$HEDDLE" cc -g -O1 -o crowd crowd.c || fail "crowd.c does not compile"
"$HEDDLE" cc -g -O1 -o both both.c || fail "both.c does not compile"
"$HEDDLE" cc -g -O1 -o look look.c || fail "look.c does not compile"
"$HEDDLE" cc -g -O1 -o deep deep.c || fail "deep.c does not compile"
"$HEDDLE" c++ -std=c++17 -g -O1 -o scoped scoped.cpp || fail "scoped.cpp does not compile"

# stages: prints the strategy and the verdict of each stage in a.json.
stages() {
    python3 -c '
import json
run = json.load(open("a.json"))
print(*(stage["strategy"] + ":" + stage["verdict"] for stage in run["stages"] or [run]))'
}
went() {
    [ "$(stages)" = "$1" ] || fail "the stages were '$(stages)', not '$1'"
}

# No task is left behind by a task that goes round: the first execution finds the bug.
for strategy in optimal source classic observers; do
    runs 1 "$HEDDLE" run --strategy=$strategy --max-executions=1 --minimise=off ./ticks
    says '^SUMMARY: heddle: assertion failed'
done
runs 1 "$HEDDLE" run --json=a.json ./ticks
went 'optimal:bug'
runs 1 "$HEDDLE" replay ticks.trace
# Also if the execution is cut off before the first turn ends: the tasks that were left behind are tried then.
for strategy in optimal source classic; do
    runs 1 "$HEDDLE" run --strategy=$strategy --max-steps=100 --minimise=off ./ticks
done

# All other tasks move within one turn of a task that goes round, so the execution ends. It has 1,000 steps before tasks
# take turns, one turn of 251 choices with two steps each at most, 4 steps of each visitor, 40 joins, and the last look.
for strategy in optimal source classic observers; do
    runs 3 "$HEDDLE" run --strategy=$strategy --max-executions=1 --json=a.json ./crowd
    says '^  executions   1 complete'
    depth=$(sed -n 's/.*"depth_max": \([0-9]*\).*/\1/p' a.json)
    [ "$depth" -lt 1800 ] || fail "$strategy: the first execution has '$depth' steps"
done

# A program without such loops has one stage.
runs 0 "$HEDDLE" run --json=a.json "$programs/readers" 3
went 'optimal:verified'
says_not 'continuing with' err

# States decide where a loop comes back to a state.
runs 0 "$HEDDLE" run --json=a.json ./look
went 'optimal:budget-ended ses:verified'
says '^heddle: optimal meets loops that do not end; continuing with a search by states (--strategy=ses)$' err
says '^heddle: verified by ses: all [0-9]* states, nothing cut off'
says '^  before       optimal, .*: no bug so far: '
says '"strategy": "ses"' a.json
runs 0 "$HEDDLE" run -q ./look
[ -s out ] || [ -s err ] && fail "--quiet says: $(cat out err)"

# A counter comes back to no state. All stages end, and nothing is claimed.
runs 3 "$HEDDLE" run --json=a.json ./ticks_right
went 'optimal:budget-ended ses:budget-ended random:undecided'
says '^heddle: states did not decide; continuing with random executions (--strategy=random)$' err
says '^heddle: not verified: no bug in 10,000 random executions, seed 1; optimal meets loops that do not end; states did not decide$'
says '"name": "earlier-stages"' a.json
says '"name": "loop"' a.json

# The tips do not name what the run has done already.
runs 3 "$HEDDLE" run --timeout=3s --json=a.json ./ticks_right
says_not '--strategy=random samples' a.json

# The states of the back-off are few, but a failed try may hide a data race from them.
runs 3 "$HEDDLE" run --json=a.json ./scoped
went 'optimal:budget-ended ses:undecided random:undecided'
says ' random executions, .*; ses found no bug in [0-9]* states, but data races behind operations that order nothing'
runs 0 "$HEDDLE" run --races=ignore --json=a.json ./scoped
went 'optimal:budget-ended ses:no-bug-within-bound'
says '^heddle: no bug within the bound: all [0-9]* states; data races were ignored'

# A bug of a later stage: its trace replays, and --keep-going reports it once.
runs 1 "$HEDDLE" run --json=a.json ./deep
runs 1 "$HEDDLE" replay deep.trace
runs 1 "$HEDDLE" run --keep-going --json=a.json ./deep
[ "$(grep -c '^SUMMARY: ' out)" = 1 ] || fail "not one finding: $(cat out)"

# The stages share the budget, and there is one stage with a strategy by name, a bound, or a picture of the search.
runs 3 "$HEDDLE" run --max-executions=2000 --json=a.json ./ticks_right
says '^heddle: not verified: no bug in [0-9]* random executions'
runs 3 "$HEDDLE" run --timeout=3s --json=a.json ./ticks_right
went 'optimal:budget-ended ses:budget-ended random:budget-ended'
for option in --strategy=optimal --divergences=2 --delays=1 --deepen=delays --show-races --coverage --graph=a.dot; do
    runs 3 "$HEDDLE" run $option --max-steps=300 --max-executions=500 --json=a.json ./ticks_right
    says_not 'continuing with' err
    [ "$(stages | wc -w)" = 1 ] || fail "with $option the stages were $(stages)"
done
HEDDLE_OPTIONS=strategy=optimal
export HEDDLE_OPTIONS
runs 3 "$HEDDLE" run --max-steps=300 --json=a.json ./ticks_right
went 'optimal:budget-ended'
unset HEDDLE_OPTIONS

# The time of a search that begins again counts, too. The search by states does so here when it meets a cycle, late
# because of the loop that counts. Random executions take all the time that is left.
runs 3 "$HEDDLE" run --timeout=3s --json=a.json ./both
python3 -c '
import json
run = json.load(open("a.json"))
assert run["seconds"] > 2.8, run["seconds"]
assert abs(run["seconds"] - sum(stage["seconds"] for stage in run["stages"])) < 0.01, run' ||
    fail "the run took 3 seconds, and says something else"

# A bound of the user's also cuts executions off that would end.
runs 3 "$HEDDLE" run --max-steps=8 "$programs/readers" 3
says '^heddle: optimal cuts executions off (--max-steps); continuing with a search by states (--strategy=ses)$' err

# States that cannot be compared are left out.
runs 3 "$HEDDLE" run --isolate=fork --max-executions=400 --max-steps=500 --json=a.json ./ticks_right
says '"earlier-stages"' a.json

exit $failed
