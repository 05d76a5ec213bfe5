#!/bin/sh
# Each program gets the answer that its head comment expects, from dfs and from every reduction.
# With dfs, it also gets the number of executions that the comment derives.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
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
