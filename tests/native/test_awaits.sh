#!/bin/sh
# Waiting loops whose looks block (src/substrates/native/tasks/await.c): the number of executions is exact, with both
# compilers and with all levels of optimisation. Loops that only look like it are explored as they are.
set -u
. "$SOURCE/tests/programs/programs.sh"
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
cd "$work" || exit 1

compilers="gcc clang"
levels="O0 O1 O2"
# build NAME: compiles it with each compiler and level; $builds are the results.
build() {
    builds=
    for compiler in $compilers; do
        command -v $compiler >/dev/null || continue
        for level in $levels; do
            HEDDLE_CC=$compiler "$HEDDLE" cc -$level -o "$1-$compiler-$level" "$SOURCE/tests/native/awaits/$1.c" ||
                fail "$1 does not compile"
            builds="$builds $1-$compiler-$level"
        done
    done
}

# counts NAME TASKS EXECUTIONS [TASKS EXECUTIONS]...: the exact numbers, and no execution for nothing.
counts() {
    build "$1"
    shift
    while [ $# -gt 0 ]; do
        for program in $builds; do
            checked=$((checked + 1))
            run_tool -q --strategy=optimal --json=a.json ./"$program" "$1"
            got="$(field a.json verdict) $(field a.json executions) $(field a.json blocked_executions)"
            case $got in
            "verified "$2" 0") ;;
            *) fail "$program $1: '$got', not $2 executions" ;;
            esac
        done
        shift 2
    done
}

# finds NAME KIND: with every reduction. The replay finds it, too.
finds() {
    build "$1"
    for program in $builds; do
        for strategy in optimal source classic; do
            checked=$((checked + 1))
            run_tool -q --strategy=$strategy --max-steps=100 --json=a.json --trace=a.trace ./"$program"
            [ "$(answer a.json)" = "bug $2" ] || fail "$program, $strategy: '$(answer a.json)', not $2"
            run_tool -q --strategy=$strategy --max-steps=100 --isolate=fork --json=a.json --trace=b.trace ./"$program"
            [ "$(answer a.json)" = "bug $2" ] || fail "$program, $strategy, by fork: '$(answer a.json)', not $2"
        done
        "$HEDDLE" replay -q a.trace >out 2>&1
        [ $? -eq 1 ] || fail "$program: the replay does not find it: $(cat out)"
    done
}

counts ticket 2 2 5 120 6 720
counts ttas 2 4 3 36 4 576
counts cas 3 6 5 120
counts weak 3 6 5 120
counts exchange 3 6 5 120
counts mcs 2 6 3 66 4 1080
counts gate 2 2 4 24
counts called 3 1
counts peeled 1 3 2 9
counts retry 1 3 2 28
counts reserve 2 6
counts cached 1 2 3 8
compilers=gcc
counts flag 3 6 5 120
counts fence 2 1
counts limit 2 1
# Clang takes the first look out of some loops, or keeps what the look depends on in memory. Then some looks are
# explored as they are.
compilers=clang
counts flag 2 '*'
counts fence 2 '*'
counts limit 2 '*'
compilers="gcc clang"
counts relaxed 2 '*'
finds remembers assertion
finds counts assertion
finds hidden assertion
finds steals assertion
finds sizes assertion
finds twice assertion
finds claim_or_look assertion
finds fails_first assertion
finds toggles assertion
finds saturates assertion
finds never livelock
finds races data-race
finds round_races data-race
finds freed heap-misuse

# With --keep-going, a loop that waits for ever is no end of the search.
build earlier
for program in $builds; do
    checked=$((checked + 1))
    run_tool -q --strategy=optimal --keep-going --json=a.json ./"$program"
    [ "$(field a.json executions)" = 5 ] || fail "$program: $(field a.json executions) executions, not 5"
done

# The larger counts, once each.
build ticket
run_tool -q --strategy=optimal --json=a.json ./ticket-gcc-O2 7
[ "$(field a.json executions)" = 5040 ] || fail "ticket 7: $(field a.json executions) executions, not 5040"
build ttas
run_tool -q --strategy=optimal --json=a.json ./ttas-gcc-O2 5
[ "$(field a.json executions)" = 14400 ] || fail "ttas 5: $(field a.json executions) executions, not 14400"

finish
