#!/bin/sh
# speed.sh - executions per CPU second on one core, all checks on, printed as a table.
#
#   readers(8) by random, in-process (memory reset) and by --isolate=fork, in the same run, best of
#   three each: machines are noisy, ratios less so. The last column is the largest resident size of
#   the tested process, which must not grow with the number of executions.
. "$(dirname "$0")/common/measure.sh"

row() { # title, executions, options: sets rate
    title=$1 executions=$2
    shift 2
    measure --strategy=random --max-executions="$executions" "$@" "$build/programs/readers" 8
    rate=$(awk "BEGIN { printf \"%d\", $executions / $seconds }")
    printf '%-34s %12s %14s %10s\n' "$title" "$executions" "$rate" "$(field memory_kb)"
}

printf '%-34s %12s %14s %10s\n' 'readers(8), --strategy=random' executions 'per CPU s' 'max KiB'
row in-process 100000
reset=$rate
row 'in-process, ten times as many' 1000000
[ "$rate" -gt "$reset" ] && reset=$rate
row --isolate=fork 5000 --isolate=fork
awk "BEGIN { printf \"in-process is %.0f times as fast as --isolate=fork\n\", $reset / $rate }"
