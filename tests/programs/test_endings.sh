#!/bin/sh
# A search by states stops at a state that it has seen before. It says *verified* only if an end of
# the program can be reached from every state. If there may be a cycle, it does not decide whether
# every execution ends.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/threads.c" <<'END2'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
#if PROGRAM == 1 /* x is 0 and 1 in turn: there is no end, and no state has a choice */
int main(void) {
    while (x != 2)
        x = !x;
    return 0;
}
#elif PROGRAM == 2 /* `two` may see x == 1 each time it looks, but from every state it can see 2 */
static void *one(void *unused) {
    while (y != 1) {
        x = 1;
        x = 2;
    }
    return unused;
}
static void *two(void *unused) {
    while (x != 2)
        ;
    y = 1;
    return unused;
}
#elif PROGRAM == 3 /* if `two` comes first, y stays 0, and `two` loops for ever */
static void *one(void *unused) {
    if (x == 0)
        y = 1;
    return unused;
}
static void *two(void *unused) {
    x = 1;
    while (y == 0) {
        x = 2;
        x = 1;
    }
    return unused;
}
#elif PROGRAM == 4 /* tries again if the other was faster, which happens at most once */
static void *one(void *unused) {
    int seen;
    do
        seen = x;
    while (!atomic_compare_exchange_strong(&x, &seen, seen ^ 1));
    return unused;
}
#define two one
#else /* no loop: each step leads to a state that is further from the start */
static void *one(void *unused) {
    x++;
    y++;
    return unused;
}
#define two one
#endif
#if PROGRAM != 1
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
#endif
END2

# `gives CODE "NAMES OF OMISSIONS" PROGRAM OPTIONS...`: checks the exit code and the names of what
# was left out.
gives() {
    code=$1 left=$2 program=$3
    shift 3
    checked=$((checked + 1))
    rm -f "$work/a.json"
    "$HEDDLE" run -q --json="$work/a.json" "$@" "$program" >"$work/out" 2>&1
    got=$?
    names=$(sed -n 's/^ *"name": "\([a-z-]*\)",$/\1/p' "$work/a.json" | tr '\n' ' ' | sed 's/ $//')
    [ "$got $names" = "$code $left" ] ||
        fail "$program $*: exit code $got and '$names' instead of $code and '$left'"
}

for program in 1 2 3 4 5; do
    "$HEDDLE" cc -O1 -DPROGRAM=$program -o "$work/threads$program" "$work/threads.c" || fail "$program does not build"
done
for options in --strategy=ses "--strategy=ses --explorer=rr" "--strategy=ses --explorer=random --seed=3" \
    "--strategy=ses --checkpoints=off" "--strategy=ses --delay-step=3" --strategy=ses+ss --strategy=preemption-bounding \
    --strategy=depth-bounding "--strategy=depth-bounding --depth-step=1 --seed=2"; do
    # shellcheck disable=SC2086
    {
        gives 3 "complete-executions" "$work/threads1" $options
        gives 0 "termination" "$work/threads2" $options
        gives 3 "progress" "$work/threads3" $options
        gives 0 "termination" "$work/threads4" $options
        gives 0 "" "$work/threads5" $options
    }
done
# With pairs of states and explorers, the search cannot follow open states, so it claims nothing.
gives 3 "progress" "$work/threads3" --strategy=ses --cache=pair
gives 0 "" "$BUILD/programs/lock" --strategy=ses

# Random loops. From which states an end can be reached depends only on the program, and not on the
# explorer or the order of the search.
cat >"$work/loops.c" <<'END2'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_int x[2], changes[2];
static uint32_t draw(uint64_t *number, uint32_t bound) {
    *number = *number * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*number >> 33) % bound;
}
/* In each of four places the thread reads a variable, perhaps changes it, and goes to another place,
 * which depends on the value. It changes something in each place, so it is never taken for a loop
 * that only waits. */
static void *thread(void *argument) {
    int place = 0;
    while (place < 4) {
        uint64_t number = (uint64_t)(uintptr_t)argument * 16 + (uint64_t)place;
        draw(&number, 2);
        atomic_int *variable = &x[draw(&number, 2)];
        int seen = *variable, value = (int)draw(&number, 3), next[3];
        for (int i = 0; i < 3; i++)
            next[i] = (int)draw(&number, 6);
        changes[(uintptr_t)argument % 2] = place;
        if (draw(&number, 2))
            *variable = value;
        place = next[seen];
    }
    return NULL;
}
int main(int count, char **arguments) {
    uintptr_t seed = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(seed * 2 + i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END2
"$HEDDLE" cc -O1 -o "$work/loops" "$work/loops.c" || fail "loops.c does not build"
answers() { # JSON: the verdict, the number of states, and what is left out
    field "$1" verdict
    field "$1" states
    sed -n 's/^ *"text": "\(from .*\|whether .*\|no execution .*\)".*$/\1/p' "$1" | grep -v "whether every execution"
}
open=0
for seed in $(seq 60); do
    want=
    for options in "--strategy=ses" "--strategy=ses --explorer=rr" "--strategy=ses --explorer=random --seed=5" \
        "--strategy=preemption-bounding" "--strategy=depth-bounding --seed=2"; do
        checked=$((checked + 1))
        # shellcheck disable=SC2086
        "$HEDDLE" run -q --json="$work/a.json" $options "$work/loops" "$seed" >"$work/out" 2>&1
        got=$(answers "$work/a.json")
        [ -z "$want" ] && want=$got
        [ "$got" = "$want" ] || fail "loops $seed, $options: '$got' instead of '$want'"
    done
    case $want in *"no end can be reached"*) open=$((open + 1)) ;; esac
done
echo "$open of 60 random programs with states from which no end can be reached"
[ "$open" -gt 5 ] || fail "too few of these programs have states without a reachable end"
finish
