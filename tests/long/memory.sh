#!/bin/sh
# The memory of `optimal` does not grow with the number of executions: a million of them stay within
# 8 MiB. The numbers of traces are those of tests/programs/test_counts.sh.
set -u
. "$SOURCE/tests/programs/programs.sh"

within() { # program, size, number of traces
    checked=$((checked + 1))
    run_tool -q --strategy=optimal --timeout=3600 --json="$work/a.json" "$BUILD/programs/$1" "$2"
    found="$(field "$work/a.json" executions) $(field "$work/a.json" blocked_executions)"
    [ "$found" = "$3 0" ] || fail "$1($2): $3 traces, but executions and blocked ones are $found"
    memory=$(field "$work/a.json" memory_kb)
    [ "$memory" -le 8192 ] || fail "$1($2) took $memory KB, not 8,192 at most"
}

within lastzero 18 1376256
within readers 20 1048576
finish
