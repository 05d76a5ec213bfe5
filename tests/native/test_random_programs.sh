#!/bin/sh
# 500 random programs over all operation kinds. Every reduction must reach the same final states,
# failures and kinds of findings as the unreduced search. Every fifth program is also compared
# within bounds. Programs with a too long unreduced search are counted.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
programs=${PROGRAMS:-500}
first=${FIRST:-1}
limit=60000
skipped=0

"$HEDDLE" cc -O1 -o "$work/random_program" "$SOURCE/tests/native/random_program.c" || exit 1

search() { # strategy, name, checkpoints, [bound]
    rm -f "$work/$2.set"
    run_tool -q --strategy="$1" --checkpoints="$3" ${4:-} --races=ignore --keep-going --max-executions=$limit \
        --max-steps=300 --json="$work/$2.json" --trace="$work/$2.trace" \
        "$work/random_program" "$seed" "$work/$2.set"
}

compare() { # strategy, [bound]: compares with the result of dfs
    search "$1" reduced on "${2:-}"
    checked=$((checked + 1))
    "$work/random_program" compare "$work/dfs.set" "$work/reduced.set" >"$work/differ" ||
        fail "seed $seed: $*: $(cat "$work/differ")"
    [ "$(kinds "$work/dfs.json")" = "$(kinds "$work/reduced.json")" ] ||
        fail "seed $seed: dfs '$(answer "$work/dfs.json")', $* '$(answer "$work/reduced.json")'"
}

same_verdict() { # strategy
    [ "$(field "$work/dfs.json" verdict)" = "$(field "$work/reduced.json" verdict)" ] ||
        fail "seed $seed: dfs '$(answer "$work/dfs.json")', $1 '$(answer "$work/reduced.json")'"
}

# Returns true if the last search of that name has not come to its end. It may have found something before.
gave_up() { # name
    [ "$(field "$work/$1.json" verdict)" = budget-ended ] || [ "$(field "$work/$1.json" executions)" -ge $limit ]
}

seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    search dfs dfs off
    if gave_up dfs; then
        skipped=$((skipped + 1))
    else
        for strategy in persistent classic source optimal observers; do
            compare $strategy
            same_verdict $strategy
        done
    fi
    if [ $((seed % 5)) -eq 0 ]; then
        for bound in --preemptions=1 --delays=2; do
            search dfs dfs off $bound
            gave_up dfs || compare source $bound
        done
    fi
    rm -f "$work"/*.trace
    seed=$((seed + 1))
done
echo "$skipped programs were too long for the unreduced search"
[ "$skipped" -lt $((programs / 5)) ] || fail "too many were skipped"
finish
