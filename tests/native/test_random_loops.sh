#!/bin/sh
# 200 random programs whose tasks wait in loops. The reductions must reach the same final states and
# kinds of findings as the search by states, which visits every state. If a loop does not end, the
# reductions are cut off; then they must reach nothing else. A run without a strategy must not be cut
# off. `make test-long` runs 2,000.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
programs=${PROGRAMS:-200}
first=${FIRST:-1}
skipped=0
cut=0

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in O0 O1 O2; do
        HEDDLE_CC=$compiler "$HEDDLE" cc -$level -o "$work/loops-$compiler-$level" \
            "$SOURCE/tests/native/random_loops.c" || exit 1
    done
done
set -- "$work"/loops-*
binaries=$#

search() { # NAME OPTIONS...
    name=$1
    shift
    rm -f "$work/$name.set"
    run_tool -q --races=ignore --keep-going --json="$work/$name.json" --trace="$work/$name.trace" "$@" \
        "$binary" "$seed" "$work/$name.set"
}

# The search has nothing left. (Whether every execution ends may be open.)
is_decided() { # NAME
    case $(field "$work/$1.json" verdict) in
    verified | bug | undecided | no-bug-within-bound) true ;;
    *) false ;;
    esac
}

# A search by states does not decide whether a loop that stores what was there goes round for ever. The reductions do.
same_findings() {
    a=$(kinds "$work/states.json") b=$(kinds "$work/reduced.json")
    [ "$a" = "$b" ] || { [ "$(field "$work/states.json" verdict)" = undecided ] && [ "$a" = "${b%livelock}" ]; }
}

compare() { # OPTIONS...
    search reduced "$@"
    checked=$((checked + 1))
    "$binary" compare "$work/states.set" "$work/reduced.set" >"$work/differ" && same=1 || same=0
    if is_decided reduced; then
        [ $same = 1 ] && same_findings ||
            fail "seed $seed, $binary, $*: $(cat "$work/differ"): states '$(answer "$work/states.json")', here" \
                "'$(answer "$work/reduced.json")': $("$binary" show "$seed")"
    else
        cut=$((cut + 1))
        [ $same = 1 ] || grep -q "^[0-9]* only in $work/states.set, 0 only" "$work/differ" ||
            fail "seed $seed, $binary, $*: $(cat "$work/differ"): $("$binary" show "$seed")"
    fi
}

# A run without a strategy decides every program: where the reduction does not end, the states do.
compare_default() {
    cut_before=$cut
    compare --timeout=60s
    [ "$cut" = "$cut_before" ] || fail "seed $seed, $binary: not decided: $("$binary" show "$seed")"
}

bounds='--max-steps=200 --max-executions=20000'
seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    eval "binary=\${$((seed % binaries + 1))}"
    search states --strategy=ses --timeout=20s
    if is_decided states; then
        # shellcheck disable=SC2086
        {
            compare --strategy=optimal $bounds
            compare --strategy=source $bounds
            [ $((seed % 4)) -ne 0 ] || compare --strategy=classic $bounds
        }
        [ $((seed % 4)) -ne 1 ] || compare_default
    else
        skipped=$((skipped + 1))
    fi
    rm -f "$work"/*.trace
    seed=$((seed + 1))
done
echo "$skipped programs were too long for the search by states, and $cut of $checked searches were cut off"
[ "$skipped" -lt $((programs / 10 + 1)) ] || fail "too many were skipped"
[ "$cut" -lt $((checked * 2 / 3)) ] || fail "too many were cut off"
finish
