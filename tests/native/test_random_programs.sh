#!/bin/sh
# 500 random programs over all operation kinds: every reduction reaches the same final states, failures
# and kinds of findings as the unreduced search. Programs whose unreduced search is too long are counted.
set -u
. "$SOURCE/tests/programs/programs.sh"
programs=${PROGRAMS:-500}
first=${FIRST:-1}
limit=60000
skipped=0

"$HEDDLE" cc -O1 -o "$work/random_program" "$SOURCE/tests/native/random_program.c" || exit 1

search() { # strategy, name
    rm -f "$work/$2.set"
    "$HEDDLE" run -q --strategy="$1" --races=ignore --keep-going --max-executions=$limit \
        --max-steps=300 --json="$work/$2.json" --trace="$work/$2.trace" \
        "$work/random_program" "$seed" "$work/$2.set" >"$work/$2.out" 2>&1
}

seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    search dfs dfs
    if [ "$(field "$work/dfs.json" verdict)" = budget-ended ]; then
        skipped=$((skipped + 1))
    else
        for strategy in sleep classic source optimal observers; do
            search $strategy reduced
            checked=$((checked + 1))
            "$work/random_program" compare "$work/dfs.set" "$work/reduced.set" >"$work/differ" ||
                fail "seed $seed: $strategy: $(cat "$work/differ")"
            [ "$(answer "$work/dfs.json")" = "$(answer "$work/reduced.json")" ] ||
                fail "seed $seed: dfs '$(answer "$work/dfs.json")'," \
                    "$strategy '$(answer "$work/reduced.json")'"
        done
    fi
    rm -f "$work"/*.trace
    seed=$((seed + 1))
done
echo "$skipped programs were too long for the unreduced search"
[ "$skipped" -lt $((programs / 5)) ] || fail "too many were skipped"
finish
