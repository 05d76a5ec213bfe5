#!/bin/sh
# checkpoints.sh - how much work it saves to go back to saved states: long_prefix(n, 10) has 1,024 executions with 4 n
# steps in common. The table shows the steps that were executed, and CPU seconds (best of several), with checkpoints
# and without.
. "$(dirname "$0")/common/measure.sh"

row() { # row PROGRAM ARGUMENT...
    program=$1
    shift
    measure --checkpoints=on --timeout=60 "$build/programs/$program" "$@"
    on=$seconds on_steps=$(field steps)
    measure --checkpoints=off --timeout=60 "$build/programs/$program" "$@"
    printf '%-22s %10s %12s %12s %9.3f %9.3f\n' "$program $*" "$(field executions)" "$on_steps" \
        "$(field steps)" "$on" "$seconds"
}

printf '%-22s %10s %12s %12s %9s %9s\n' program executions 'steps, on' 'off' 'CPU s, on' off
for rounds in 10 100 1000 10000; do
    row long_prefix $rounds 10
done
row readers 15
row lastzero 10
row filesystem 22
row lock 6
