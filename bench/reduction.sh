#!/bin/sh
# reduction.sh - the CPU seconds of each reduction, on programs whose number of traces is known, compiled with -O0 and
# with -O2, on one core, best of several. Beside them stand the seconds that GenMC and Nidhugg (optimal) needed for
# the same programs on a similar machine. The seconds of Heddle are those of the tested program's process, in which
# the search runs. The tool outside takes about 3 ms more.
. "$(dirname "$0")/common/measure.sh"
programs=$(dirname "$0")/../programs

row() { # row PROGRAM SIZE GENMC NIDHUGG [STRATEGIES]
    "$heddle" cc -std=gnu11 -O2 -g -o "$work/$1" "$programs/$1.c"
    for strategy in ${5:-optimal observers source}; do
        measure --strategy=$strategy --timeout=60 "$work/$1" "$2"
        optimised=$seconds
        measure --strategy=$strategy --timeout=60 "$build/programs/$1" "$2"
        printf '%-16s %-9s %10s %8s %8.3f %8.3f %9s %7s %8s\n' "$1($2)" "$strategy" \
            "$(field executions)" "$(field blocked_executions)" "$seconds" "$optimised" \
            "$(field memory_kb)" "$3" "$4"
    done
}

printf '%-16s %-9s %10s %8s %8s %8s %9s %7s %8s\n' program strategy executions blocked 'CPU s' \
    '-O2' 'max KiB' GenMC Nidhugg
row readers 15 1.13 13.2
row lastzero 10 0.41 1.01
row lastzero 15 - - optimal
row filesystem 22 1.24 1.03
row nwriters 8 0.74 5.4
