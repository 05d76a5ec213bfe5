#!/bin/sh
# reduction.sh - CPU seconds of each reduction on programs whose number of traces is known, one core,
# best of three; beside them what GenMC and Nidhugg (optimal) needed for the same programs on a like
# machine.
set -eu
build=${BUILD:-build}
heddle=$build/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$work/out.json" | head -n 1
}

measure() { # strategy, program, size: sets seconds, executions, blocked, memory
    seconds=
    for round in 1 2 3; do
        "$heddle" run -q --strategy="$1" --timeout=60 --json="$work/out.json" \
            "$build/programs/$2" "$3" >/dev/null || :
        now=$(field cpu_seconds)
        seconds=$(awk "BEGIN { s = \"$seconds\"; print (s == \"\" || $now < s) ? $now : s }")
    done
    executions=$(field executions)
    blocked=$(field blocked_executions)
    memory=$(field memory_kb)
}

row() { # program, size, GenMC, Nidhugg
    for strategy in optimal observers source; do
        measure $strategy "$1" "$2"
        printf '%-16s %-9s %10s %8s %9.3f %10s %8s %8s\n' "$1($2)" "$strategy" "$executions" \
            "$blocked" "$seconds" "$memory" "$3" "$4"
    done
}

printf '%-16s %-9s %10s %8s %9s %10s %8s %8s\n' program strategy executions blocked 'CPU s' \
    'max KiB' GenMC Nidhugg
row readers 15 1.13 13.2
row lastzero 10 0.41 1.01
row lastzero 15 - -
row filesystem 22 1.24 1.03
row nwriters 8 0.74 5.4
