#!/bin/sh
# Each program that says what to expect gets that, by dfs and by every reduction, and by dfs as many
# executions as its comment derives.
set -u
HEDDLE_OPTIONS=minimise=off # this is about what is found
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

for name in $(programs); do
    want=$(expected "$name")
    for strategy in dfs persistent classic source optimal observers; do
        checked=$((checked + 1))
        explore "$work/a.json" "$BUILD/programs" "$name" --strategy=$strategy --keep-going
        as_expected "$work/a.json" "$want" ||
            fail "$name: $strategy: expected '$want', got '$(answer "$work/a.json")'"
        count=$(said "$name" executions)
        [ $strategy = dfs ] && [ -n "$count" ] || continue
        executions=$(field "$work/a.json" executions)
        [ "$executions" = "$count" ] ||
            fail "$name: $count executions are derived, $executions were explored"
    done
done
finish
