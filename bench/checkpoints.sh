#!/bin/sh
# checkpoints.sh - what going back to saved states saves: long_prefix(n, 10), 1,024 executions that have 4 n
# steps in common. Steps executed, and CPU seconds (best of three), with checkpoints and without.
set -eu
build=${BUILD:-build}
heddle=$build/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$work/out.json" | head -n 1
}

measure() { # checkpoints, program and its arguments: sets seconds and steps
    seconds=
    mode=$1
    program=$2
    shift 2
    for round in 1 2 3; do
        "$heddle" run -q --checkpoints="$mode" --timeout=60 --json="$work/out.json" \
            "$build/programs/$program" "$@" >/dev/null || :
        now=$(field cpu_seconds)
        seconds=$(awk "BEGIN { s = \"$seconds\"; print (s == \"\" || $now < s) ? $now : s }")
    done
    steps=$(field steps)
}

row() {
    measure on "$@"
    on=$seconds on_steps=$steps
    measure off "$@"
    printf '%-22s %10s %12s %12s %9.3f %9.3f\n' "$*" "$(field executions)" "$on_steps" "$steps" \
        "$on" "$seconds"
}

printf '%-22s %10s %12s %12s %9s %9s\n' program executions 'steps, on' 'off' 'CPU s, on' off
for rounds in 10 100 1000 10000; do
    row long_prefix $rounds 10
done
row readers 15
row lastzero 10
row filesystem 22
row lock 6
