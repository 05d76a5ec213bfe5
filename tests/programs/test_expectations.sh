#!/bin/sh
# Each program that says what to expect gets that, by dfs and by sleep sets, and as many executions as
# its comment derives.
set -u
. "$SOURCE/tests/programs/programs.sh"

for name in $(programs); do
    want=$(expected "$name")
    [ -n "$want" ] || continue
    for strategy in dfs sleep; do
        checked=$((checked + 1))
        explore "$work/a.json" "$BUILD/programs" "$name" --strategy=$strategy --keep-going
        got=$(answer "$work/a.json")
        [ "$got" = "$want" ] || fail "$name: $strategy: expected '$want', got '$got'"
        count=$(said "$name" executions)
        [ $strategy = dfs ] && [ -n "$count" ] || continue
        executions=$(field "$work/a.json" executions)
        [ "$executions" = "$count" ] ||
            fail "$name: $count executions are derived, $executions were explored"
    done
done
finish
