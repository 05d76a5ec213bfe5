#!/bin/sh
# test_estimate.sh - how much is left of a search that ends too early, and `heddle estimate`.
#
# The unreduced tree of 5 philosophers has 354,940,010 transitions (seed 003), and no execution is longer than 26
# steps. Every execution has a last transition of its own, and at most 26 transitions. So there are between 13,651,539
# and 354,940,010 executions.
. "$SOURCE/tests/cli/cli.sh"

# number KEY: prints a number of the estimate in a.json.
number() {
    sed -n '/"estimate": {/,/}/s/.*"'"$1"'": \([0-9.e+]*\),*$/\1/p' a.json
}

holds() {
    awk "BEGIN { exit !($1) }" </dev/null || fail "not true: $1"
}

# A search that ends too early says how much is left.
runs 3 "$HEDDLE" run --strategy=dfs --max-executions=100000 --json=a.json "$programs/philosophers" 5
says '^  left         about [0-9.e+,]* executions ([0-9.e+,]* to [0-9.e+,]*)'
holds "$(number total) > 13651539 / 100 && $(number total) < 354940010 * 100"
holds "$(number left) == $(number total) - 100000"
holds "0 <= $(number low) && $(number low) <= $(number left) && $(number left) <= $(number high)"
for time in 300ms 3s 30s; do # on a slow machine the first limit ends before anything is known
    runs 3 "$HEDDLE" run --strategy=dfs --timeout=$time --json=a.json "$programs/readers" 12
    grep -q '^  left ' out && break
done
says '^  left         \(about\|more than\) '
holds "$(number total) > 1000000"
runs 3 "$HEDDLE" run --max-executions=10 "$programs/readers" 6
says '^  left         about [0-9,]* executions'

# A search that has ended says nothing of this, and the strategy random does not know.
runs 0 "$HEDDLE" run --json=a.json "$programs/readers" 4
says '"estimate": null' a.json
says_not '^  left '
runs 0 "$HEDDLE" run --strategy=random --max-executions=10 --json=a.json "$programs/readers" 4
says '"estimate": null' a.json

# The progress line, on a terminal.
if command -v script >/dev/null; then
    progress='heddle: [0-9,]* executions, 0 findings, \(about [0-9.e+,]*\|more than 10^18\) executions.* left'
    for time in 1s 10s 60s; do
        script -qec "stty cols 80; $HEDDLE run --strategy=dfs --timeout=$time $programs/readers 12" /dev/null \
            >out 2>&1 </dev/null
        grep -q "$progress" out && break
    done
    says "$progress"
fi

# mean, error: read these numbers from the output of `heddle estimate`.
mean() {
    sed -n 's/^heddle: about \([0-9,]*\) executions.*/\1/p' out | tr -d ,
}
error() {
    sed -n 's/^heddle: .*(standard error \([0-9,]*\))$/\1/p' out | tr -d ,
}

# A finding during the estimate is reported.
runs 1 "$HEDDLE" estimate "$programs/philosophers" 5
says '^  samples      1,000 random executions, seed 1'
says '^  findings     1 on the way'
says '^  meaning      the unreduced number, .* an upper bound'
holds "$(mean) > 13651539 / 2 && $(mean) < 354940010 * 2"

# The estimate is compared with the real count, with more samples than the default. Another seed gives another number.
runs 0 "$HEDDLE" run --strategy=dfs --json=a.json "$programs/readers" 4
count=$(sed -n 's/.*"executions": \([0-9]*\),$/\1/p' a.json | head -n 1)
runs 0 "$HEDDLE" estimate --max-executions=20000 "$programs/readers" 4
says '^  samples      20,000 random'
holds "($(mean) - $count) ^ 2 <= (5 * ($(error) + 1)) ^ 2"
first=$(mean)
runs 0 "$HEDDLE" estimate --max-executions=20000 "$programs/readers" 4
[ -n "$first" ] && [ "$(mean)" = "$first" ] || fail "the same seed gave another number"
runs 0 "$HEDDLE" estimate --max-executions=20000 --seed=2 "$programs/readers" 4
[ -n "$(mean)" ] && [ "$(mean)" != "$first" ] || fail "another seed gave the same number"

# Options for the search in the environment do not matter here. Options that an estimate cannot use are refused.
runs 0 env HEDDLE_OPTIONS=strategy=dfs:preemptions=1:max-executions=20000 "$HEDDLE" estimate "$programs/readers" 4
[ "$(mean)" = "$first" ] || fail "the environment changed the number"
runs 2 "$HEDDLE" estimate --preemptions=1 "$programs/readers" 4
runs 2 "$HEDDLE" estimate
says 'estimate: which program?' err
runs 3 "$HEDDLE" estimate --timeout=200ms "$programs/readers" 4
runs 3 "$HEDDLE" estimate --max-executions=1000000000 --timeout=200ms "$programs/readers" 4
runs 0 "$HEDDLE" estimate --max-executions=1 "$programs/readers" 4
says 'standard error unknown'
runs 0 "$HEDDLE" help estimate

# Heddle's own arithmetic does not change the program's floating-point flags.
cat >flags.c <<'END'
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int steps;
static void *add(void *argument) {
    assert(fetestexcept(FE_ALL_EXCEPT) == 0);
    steps++, steps++;
    return argument;
}
int main(void) {
    pthread_t threads[2];
    assert(fetestexcept(FE_ALL_EXCEPT) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
"$HEDDLE" cc -o flags flags.c -lm || fail "flags.c does not compile"
runs 0 "$HEDDLE" run --strategy=dfs ./flags
runs 0 "$HEDDLE" run --strategy=persistent ./flags
runs 0 "$HEDDLE" estimate ./flags

# --- tasks that access each other's stacks: all samples have the same kind ---
cat >stacks.c <<'END'
#include <pthread.h>
#include <heddle/heddle.h>
static void *add(void *number) {
    if (heddle_choose(2))
        ++*(int *)number;
    return 0;
}
int main(void) {
    int x = 0;
    pthread_t thread;
    pthread_create(&thread, 0, add, &x);
    x++, x++;
    pthread_join(thread, 0);
    return 0;
}
END
"$HEDDLE" cc -o stacks stacks.c || fail "stacks.c does not compile"
runs 0 "$HEDDLE" estimate --races=explore --max-executions=300 ./stacks
says '^  samples      300 random executions'
cp out found
runs 0 "$HEDDLE" estimate --races=explore --shared-stacks --max-executions=300 ./stacks
cmp -s out found || fail "found by itself: $(cat found); told: $(cat out)"

# Two volatile stores race by default; with --volatile=atomic they do not.
cat >once.c <<'END'
#include <pthread.h>
static volatile int flag;
static void *set(void *unused) {
    flag = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    flag = 2;
    pthread_join(thread, 0);
    return 0;
}
END
"$HEDDLE" cc -o once once.c || fail "once.c does not compile"
runs 1 "$HEDDLE" estimate --max-executions=20 ./once
runs 0 "$HEDDLE" estimate --max-executions=20 --volatile=atomic --release-sequences=c++20 ./once
exit $failed
