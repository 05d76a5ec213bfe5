#!/bin/sh
# speed.sh - executions per CPU second on one core, with all checks on, as a table.
#
# The program is readers(8) with the strategy random. It runs in-process (memory reset) and with --isolate=fork, best
# of three each, because ratios depend less on the machine than times do. The last column is the largest resident size
# of the tested process, which must not grow with the number of executions.
. "$(dirname "$0")/common/measure.sh"

row() { # row TITLE EXECUTIONS OPTIONS...: sets rate
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
