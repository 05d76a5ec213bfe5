#!/bin/sh
# states.sh [PROCESSES...] - how fast states are searched: LCR with 9 processes in descending order, by ses with each
# explorer, on one core, best of several. The table shows transitions per CPU second, and bytes of memory for each
# visited state: the memory of the tested program, less its memory with 2 processes.
#
# For comparison: SPIN's compiled verifier without reduction, on a similar machine and on its own model of the same
# protocol, has 36.1 million transitions and 6.15 million states in 22.4 s. This is 1.6 million transitions a second,
# and about 200 bytes for each state (31 with hash compaction).
. "$(dirname "$0")/common/measure.sh"

lcr=$build/programs/protocols/lcr

row() { # row PROCESSES EXPLORER
    measure --strategy=ses --explorer="$2" "$lcr" 2
    empty=$(field memory_kb)
    measure --strategy=ses --explorer="$2" --memory=4G "$lcr" "$1"
    awk -v name="lcr($1)" -v explorer="$2" -v verdict="$(field verdict)" -v states="$(field states)" \
        -v transitions="$(field transitions)" -v seconds="$seconds" -v kb="$(field memory_kb)" \
        -v empty="$empty" 'BEGIN {
        printf "%-8s %-7s %9s %10d %12d %8.2f %12.0f %8.1f\n", name, explorer, verdict, states,
            transitions, seconds, transitions / seconds, (kb - empty) * 1024 / states }'
}

printf '%-8s %-7s %9s %10s %12s %8s %12s %8s\n' program explorer verdict states transitions 'CPU s' \
    'a second' 'bytes'
for processes in "${@:-9}"; do
    for explorer in rr rtc prr random; do
        row "$processes" "$explorer"
    done
done
