#!/bin/sh
# test_wide_atomics.sh - atomics of every size, also those for which the compilers call libatomic:
# structures of 1 to 32 bytes, of 100 and 255, in C and C++, by each compiler, at each level.
#
# wide.h says what two threads do with one atomic. heddle_choose picks its size, so that one run has
# all 34 sizes. The counts for each size are as follows. A load and a store in each of two threads
# have 4 traces: one thread after the other, in either order, or both loads first, then the stores
# in either order. A load and a compare-exchange have the same 4 traces, and two of them end in a
# second try. Two exchanges have 2 traces, and so have a store and a load. If such a call were not
# an operation, there would be one execution.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
origin=$SOURCE/tests/native/atomics

# verifies WHAT EXECUTIONS ARGUMENTS...: the run must be verified with this number of executions.
verifies() {
    what=$1 count=$2
    shift 2
    run_tool --json=a.json --max-steps=2000 "$@"
    grep -q '^  "verdict": "verified"' a.json || fail "$what: $*: $(cat out)"
    [ "$count" = any ] || grep -q "^  \"executions\": $count," a.json || fail "$what: $*: not $count executions: $(cat out)"
}

# finds WHAT TEXT ARGUMENTS...: the run must have a finding, and print TEXT.
finds() {
    what=$1 text=$2
    shift 2
    run_tool --json=a.json "$@"
    [ $status -eq 1 ] || fail "$what: $*: no finding: $(cat out)"
    grep -q "$text" out || fail "$what: $*: does not say '$text': $(cat out)"
}

# check_all WHAT COMPARED: tries all modes. COMPARED is the number of sizes that a compare-exchange
# can be tried with.
check_all() {
    verifies "$1" 136 ./t lost
    verifies "$1" $((4 * $2)) ./t strong
    verifies "$1" $((4 * $2)) ./t weak
    verifies "$1" 68 ./t exchange
    verifies "$1" 68 ./t publish
    verifies "$1" any ./t wait
    finds "$1" "data race" ./t relaxed
}

for level in -O0 -O1 -O2 -O3; do
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        compared=34 # clang adds padding in C: to 3, 5 to 7 and 9 to 15 bytes
        [ $compiler = gcc ] || compared=23
        HEDDLE_CC=$compiler "$HEDDLE" cc -w $level -o t "$origin/wide.c" >out 2>&1 || fail "$compiler: $(cat out)"
        check_all "C $compiler $level" $compared
    done
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || continue
        HEDDLE_CXX=$compiler "$HEDDLE" c++ -w -std=c++17 $level -o t "$origin/wide.cpp" >out 2>&1 || fail "$compiler: $(cat out)"
        check_all "C++ $compiler $level" 34
    done
done

# Single sizes: with the assertion that both additions are there, with the plain read of the last
# byte, and with every strategy.
for size in 1 2 3 4 5 6 7 8 9 11 12 13 15 16 17 24 31 32 100 255; do
    finds "$size bytes" "assertion" ./t lost $size
    finds "$size bytes" "data race" ./t race $size
done
for strategy in dfs persistent source observers ses; do
    verifies "$strategy" any --strategy=$strategy ./t strong 12
    finds "$strategy" "assertion" --strategy=$strategy ./t lost 12
done
verifies "explored races" any --races=explore ./t strong 12

# It does not matter if the program is linked with libatomic, even statically.
for flags in -latomic -l:libatomic.a "-Wl,--no-as-needed -latomic"; do
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        # shellcheck disable=SC2086
        HEDDLE_CC=$compiler "$HEDDLE" cc -w -O1 -o t "$origin/wide.c" $flags >out 2>&1 || fail "$compiler $flags: $(cat out)"
        verifies "$compiler $flags" 136 ./t lost
    done
done

# Our functions give the same results as libatomic, without the tool and under it.
"$HEDDLE" cc -O1 -o t "$origin/same.c" -ldl >out 2>&1 || fail "same.c: $(cat out)"
./t >out 2>&1 || fail "not as libatomic: $(cat out)"
verifies "same.c" 1 ./t
# Atomics of more than 255 bytes are atomic sections.
sed 's/X(100) X(255)/X(300) X(4096)/' "$origin/wide.h" >wide.h
cp "$origin/wide.c" .
"$HEDDLE" cc -w -O1 -o t wide.c >out 2>&1 || fail "large: $(cat out)"
for size in 300 4096; do
    verifies "$size bytes" any ./t strong $size
    verifies "$size bytes" any ./t exchange $size
    finds "$size bytes" "assertion" ./t lost $size
    finds "$size bytes" "data race" ./t race $size
done
exit $failed
