#!/bin/sh
# One finding must not hide another. Each program of findings/ states the kinds of findings, their
# number, and whether the search can be complete (it cannot if plain accesses race). With
# --keep-going, every strategy that decides must find them all, and each finding can be replayed.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
cd "$work" || exit 1

# says SOURCE KEY: the value of a line "KEY: VALUE" in the program's head comment.
says() {
    sed -n "s,^ \* $2: *,,p" "$1" | sed 's, *\*/$,,' | head -n 1
}

# check SOURCE WHAT OPTIONS...: explores once and compares with what the program expects.
check() {
    source=$1 what=$2
    shift 2
    checked=$((checked + 1))
    rm -f t*.trace
    # shellcheck disable=SC2046
    run_tool --keep-going --timeout=600s --json=a.json "$@" $(says "$source" options) ./t
    got=$(answer a.json | sed 's, *$,,')
    [ "$got" = "$(says "$source" expect)" ] || fail "$what: '$got': $(cat out)"
    findings=$(says "$source" findings)
    [ "$(grep -c '^SUMMARY' out)" = "$findings" ] || fail "$what: not $findings findings: $(cat out)"
    complete=$(says "$source" complete)
    [ "$(field a.json complete)" = "${complete:-false}" ] ||
        fail "$what: complete is $(field a.json complete), not ${complete:-false}"
}

check_replays() {
    for trace in t*.trace; do
        "$HEDDLE" replay -q "$trace" >out 2>&1
        [ $? = 1 ] || fail "$1: $trace does not come again: $(cat out)"
    done
}

check_all() {
    name="${1##*/} $2"
    "$HEDDLE" cc -std=gnu11 -g "$2" -o t "$1" >out 2>&1 || { fail "$name does not compile: $(cat out)"; return; }
    for strategy in optimal source classic observers persistent dfs; do
        check "$1" "$name $strategy" --strategy=$strategy
        check_replays "$name $strategy"
    done
    check "$1" "$name fork" --isolate=fork
    check "$1" "$name without checkpoints" --checkpoints=off --strategy=dfs
}

for source in "$SOURCE"/tests/native/findings/*.c; do
    check_all "$source" -O0
    check_all "$source" -O2
done

# The search has not tried what the other thread would have changed, so the report must not claim
# anything about every schedule.
"$HEDDLE" cc -g -o t "$SOURCE/tests/native/findings/assertion_first.c" || fail "assertion_first does not compile"
for option in --timeout=600s --keep-going; do
    checked=$((checked + 1))
    rm -f t*.trace
    HEDDLE_OPTIONS=minimise=on "$HEDDLE" run $option ./t >out 2>&1
    sed -n '/assertion failed/,$p' out >assertion
    grep -q '^Smallest schedule: no context switch' assertion || fail "assertion_first $option: $(cat out)"
    grep -q 'fails whatever' assertion && fail "assertion_first $option: says too much: $(cat out)"
done
# A program without threads does fail in every schedule.
printf '#include <assert.h>\nint main(int count, char **words) { (void)words; assert(count == 0); return 0; }\n' >alone.c
"$HEDDLE" cc -g -o t alone.c || fail "alone does not compile"
HEDDLE_OPTIONS=minimise=on "$HEDDLE" run ./t >out 2>&1
grep -q '^Critical step: none; the program fails whatever the schedule.$' out || fail "alone: $(cat out)"
finish
