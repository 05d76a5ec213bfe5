#!/bin/sh
# Executions in one process and with --isolate=fork must give the same numbers.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

for name in $(programs); do
    checked=$((checked + 1))
    explore "$work/reset.json" "$BUILD/programs" "$name" --strategy=optimal --keep-going
    as_expected "$work/reset.json" "$(expected "$name")" || fail "$name: $(answer "$work/reset.json") in-process"
    explore "$work/fork.json" "$BUILD/programs" "$name" --strategy=optimal --keep-going --isolate=fork
    for key in verdict executions blocked_executions dropped_executions transitions depth_max; do
        a=$(field "$work/reset.json" $key) b=$(field "$work/fork.json" $key)
        [ "$a" = "$b" ] || fail "$name: $key: $a in-process, $b by fork"
    done
    [ "$(kinds "$work/reset.json")" = "$(kinds "$work/fork.json")" ] ||
        fail "$name: $(kinds "$work/reset.json") in-process, $(kinds "$work/fork.json") by fork"
done
finish
