#!/bin/sh
# speed.sh - executions per CPU second on one core, all checks on, printed as a table.
#
#   readers(8) by random, in-process (memory reset) and by --isolate=fork, in the same run, best of
#   three each: machines are noisy, ratios less so. The last column is the largest resident size of
#   the tested process, which must not grow with the number of executions.
set -eu
build=${BUILD:-build}
heddle=$build/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$work/out.json" | head -n 1
}

# `measure EXECUTIONS OPTIONS...`: sets rate (best of three) and memory.
measure() {
    executions=$1
    shift
    rate=0
    for round in 1 2 3; do
        "$heddle" run -q --strategy=random --max-executions="$executions" \
            --json="$work/out.json" "$@" "$build/programs/readers" 8 >/dev/null
        now=$(awk "BEGIN { printf \"%d\", $(field executions) / $(field cpu_seconds) }")
        [ "$now" -gt "$rate" ] && rate=$now
    done
    memory=$(field memory_kb)
}

printf '%-34s %12s %14s %10s\n' 'readers(8), --strategy=random' executions 'per CPU s' 'max KiB'
row() {
    printf '%-34s %12s %14s %10s\n' "$1" "$executions" "$rate" "$memory"
}
measure 100000
row in-process
reset=$rate
measure 1000000
row 'in-process, ten times as many'
[ "$rate" -gt "$reset" ] && reset=$rate
measure 5000 --isolate=fork
row --isolate=fork
awk "BEGIN { printf \"in-process is %.0f times as fast as --isolate=fork\n\", $reset / $rate }"
