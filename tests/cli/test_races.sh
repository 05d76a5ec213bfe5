#!/bin/sh
# test_races.sh - why the search branches: --show-races, the race that dominates a large search, and tips.
. "$SOURCE/tests/cli/cli.sh"

# json KEY: prints the value of the first such key in a.json, in one line, without blanks.
json() {
    tr -d ' \n' <a.json | awk -v key="\"$1\":" '{ print substr($0, index($0, key) + length(key)) }'
}

# line TEXT FILE: prints the number of the first line with that text.
line() {
    grep -n -F -e "$1" "$2" | head -n 1 | cut -d: -f1
}

cat >pair.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *writer(void *unused) {
    (void)unused;
    atomic_store(&flag, 1);
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int seen = atomic_load(&flag);
    pthread_join(thread, NULL);
    return seen < 0;
}
END
# Threads that add to a counter; their number is the argument: n! orders. The first two also lock.
cat >counter.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_int hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *number) {
    atomic_fetch_add(&hits, 1);
    if ((intptr_t)number < 2) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t threads[16];
    int count = argc > 1 ? atoi(argv[1]) : 2;
    for (intptr_t i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + (argc > 2 ? 2 : 0)));
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
# Two threads add to a plain number; without an argument they do so under a lock.
cat >shared.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *work(void *locks) {
    if (locks)
        pthread_mutex_lock(&lock);
    total++;
    if (locks)
        pthread_mutex_unlock(&lock);
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, argc > 1 ? NULL : argv);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
# A loop that counts its attempts is not parked, because it changes something each time.
cat >tries.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *wait(void *tries) {
    while (!atomic_load(&done))
        ++*(volatile int *)tries;
    return NULL;
}
int main(void) {
    pthread_t thread;
    int tries = 0;
    pthread_create(&thread, NULL, wait, &tries);
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
    return 0;
}
END
for name in pair counter shared tries; do
    "$HEDDLE" cc -g -o $name $name.c || fail "$name does not compile"
done
store=$(line 'atomic_store' pair.c)
load=$(line 'atomic_load' pair.c)
add=$(line 'fetch_add' counter.c)

# One race, so there is one branch: the pair, in the order of the execution that showed it.
for strategy in optimal source classic; do
    runs 0 "$HEDDLE" run --show-races --strategy=$strategy --json=a.json ./pair
    pair="T0 (main) load flag, pair.c:$load - T1 (writer) store flag, pair.c:$store"
    [ "$(grep -c '^ *[0-9]*  execution ' out)" = 1 ] || fail "$strategy: not one branch: $(cat out)"
    grep -q -F -x -e "    1  execution 1: $pair" out || fail "$strategy: no '$pair' in: $(cat out)"
    says "^    100 %  flag (atomic), pair.c:$store with pair.c:$load$"
    says_not more
    side='"operation":"\([a-z]*\)","object":"\([a-z]*\)","place":{"function":"[a-z]*","file":"[^"]*pair.c","line":\([0-9]*\)}}'
    found=$(json branches | sed -n 's/^{"planned":1,"list":\[{"execution":1,"cause":"race","first":{"task":\([0-9]\),"function":"main",'"$side"',"second":{"task":1,"function":"writer",'"$side"'}\],"left_out":0}.*/\1 \2 \3 \4 \5 \6 \7/p')
    [ "$found" = "0 load flag $load store flag $store" ] || fail "$strategy: '$found' in $(json branches)"
    found=$(json races | sed -n 's/^\[{"cause":"race","object":"flag","type":"atomic","places":\[{[^}]*"line":\([0-9]*\)},{[^}]*"line":\([0-9]*\)}\],"count":1}\],"coverage":null,"tips":\[\],.*/\1 \2/p')
    [ "$found" = "$store $load" ] || fail "$strategy: '$found' in $(json races)"
done

# Choices within a step are named as such.
runs 0 "$HEDDLE" run --show-races "$programs/choose_right"
says '  execution 1: T1 (network) choose, choose_right.c:[0-9]*: chooses 2 of 3$'
runs 0 "$HEDDLE" run --show-races -q --json=a.json "$programs/choose_right"
[ ! -s out ] || fail "not quiet: $(cat out)"
json branches | grep -q '"cause":"value","first":{"task":1,' || fail "no value in $(json branches)"

runs 0 "$HEDDLE" run --show-races "$programs/thread_pool_right"
says ' signal pool.changed, thread_pool_right.c:[0-9]*: wakes sleeper 2 of 2$'
runs 0 "$HEDDLE" run --show-races -v --spurious-wakeups "$programs/timed_wait_right"
says ' cond sleep arrived, timed_wait_right.c:[0-9]*: the wait ends otherwise'
says '^  tip          [0-9]* % of the branches are about how a wait ends; without$'
runs 0 "$HEDDLE" run -v "$programs/timed_wait_right"
says_not 'spurious'

# The output agrees with docs/heddle-run.schema.json, if a tool to check it is installed.
valid() {
    python3 -c 'import jsonschema' 2>/dev/null || return 0
    python3 -c 'import json, jsonschema, sys
jsonschema.validate(*(json.load(open(name)) for name in sys.argv[1:]))' \
        a.json "$SOURCE/docs/heddle-run.schema.json" || fail "a.json is not as the schema says"
}
valid

# There is no race, so there is no branch.
runs 0 "$HEDDLE" run --show-races "$programs/tls_right"
says '^Branches of the search: none$'

# 6 threads: 6! = 720 orders of the additions, 719 branches. The first 200 are listed, in whichever process they were
# found.
runs 0 "$HEDDLE" run --show-races --json=a.json ./counter 6 others
says 'all 720 executions'
[ "$(grep -c '^ *[0-9]*  execution ' out)" = 200 ] || fail "not 200 branches"
says '^       and 519 more$'
json branches | grep -q '"left_out":519}' || fail "branches: $(json branches)"
grep '  execution ' out >reset
runs 0 "$HEDDLE" run --show-races --isolate=fork ./counter 6 others
grep '  execution ' out | cmp -s - reset || fail "--isolate=fork names other branches"

# Other strategies do not use races.
for strategy in dfs persistent random; do
    runs 2 "$HEDDLE" run --show-races --strategy=$strategy ./pair
    says "'--show-races' needs a strategy that goes by races: .*optimal" err
done
runs 0 "$HEDDLE" run --strategy=dfs --json=a.json ./pair
json branches | grep -q '^null,"races":\[\],"coverage":null,"tips":\[\]' || fail "dfs names branches: $(json branches)"

# A short search prints no tips, unless the user asks for them; 7! = 5,040.
runs 0 "$HEDDLE" run --json=a.json ./counter 7 others
says 'all 5,040 executions'
says_not '^  tip \|most branches'
json tips | grep -q '^\[\]' || fail "tips: $(json tips)"
json planned | grep -q '^5039}' || fail "planned: $(json planned)"
runs 0 "$HEDDLE" run -v ./counter 3 others
says "^    100 %  hits (atomic), counter.c:$add with counter.c:$add$"
says '^  tip          100 % of the branches are about who changes hits first'

# A large search: 8! = 40,320. The counter dominates, and the tip says so. -q prints no tip.
runs 0 "$HEDDLE" run ./counter 8 others
says "^    100 %  hits (atomic), counter.c:$add with counter.c:$add$"
says '^  tip          100 % of the branches are about who changes hits first'
runs 0 "$HEDDLE" run -q ./counter 8 others
[ ! -s out ] || fail "not quiet: $(cat out)"

# A search that the budget ended. There is also a lock, but most branches are not about it.
runs 3 "$HEDDLE" run --max-executions=500 --json=a.json ./counter 9
sed -n '/most branches come from/{n;p;}' out | grep -q " hits (atomic), counter.c:$add with" ||
    fail "the counter does not come first: $(cat out)"
says '^  tip          [0-9]* % of the branches are about who changes hits first'
says '^  tip          the search did not end: --divergences=2 '
says_not 'who locks'
[ "$(grep -c '^  tip ' out)" -le 3 ] || fail "more than three tips"
json tips | grep -q '^\[{"name":"counter","text":"' || fail "tips: $(json tips)"
valid
runs 3 "$HEDDLE" run --max-executions=1 ./counter 4 # shares of a few executions mean nothing
says_not '^  tip \|most branches'

# Each other tip is printed where it applies, and only there.
runs 0 "$HEDDLE" run -v --strategy=source "$programs/lastzero" 8
says '^  tip          [0-9]* % of the executions were begun in vain'
runs 0 "$HEDDLE" run -v "$programs/lastzero" 8
says_not 'begun in vain'
runs 0 "$HEDDLE" run -v "$programs/trylock_dining_right"
says 'operations that only try'
runs 0 "$HEDDLE" run -v "$programs/atomic_section_right"
says '100 % of the branches are about atomic sections'
runs 0 "$HEDDLE" run -v "$programs/choose_right"
says 'values of heddle_choose'
runs 0 "$HEDDLE" run -v ./shared
says '^  tip          100 % of the branches are about who locks lock next'
says_not 'plain accesses'
runs 0 "$HEDDLE" run -v --races=explore ./shared plain
says '^  tip          100 % of the branches are about plain accesses'
runs 3 "$HEDDLE" run -v --max-executions=400 ./tries
says '^  tip          execution [0-9]* has [0-9,]* steps: T1 (wait) goes round at'
says 'A loop that polls is not seen to wait'
runs 3 "$HEDDLE" run -v --max-steps=7 ./tries # the user has asked for this bound, so there is no tip
says_not 'loop that polls'
runs 1 "$HEDDLE" run "$programs/lost_update_wrong" # after a bug, a smaller search is of no interest
says_not '^  tip \|most branches'

exit $failed
