#!/bin/sh
# caching.sh - the cost of remembering (program, explorer) pairs instead of the program's states, as in 000, Table 1:
# the states that ses visits either way, and the factor between them. 000 has 3.0, 3.5, 4.2, 5.2 for 2 to 5 processes
# (tree identification), 1.7, 2.5, 3.7, 5.6 (Lann), 2.5, 2.2, 3.6 (OR-Set).
. "$(dirname "$0")/common/measure.sh"

count() { # prints the number of states, or * if the time was not enough
    "$heddle" run -q --strategy=ses --timeout="${SECONDS_MAX:-120}s" --memory=4G --json="$work/out.json" "$@" \
        >/dev/null || :
    if [ "$(field verdict)" = verified ]; then field states; else echo '*'; fi
}

printf '%-22s %-9s %-8s %10s %12s %7s\n' program processes explorer program pair factor
for name in tree_identification le_lann or_set; do
    for processes in 2 3 4 5; do
        for explorer in ${EXPLORERS:-rr rtc}; do
            program=$build/programs/protocols/$name
            states=$(count --explorer="$explorer" "$program" $processes)
            pairs=*
            [ "$states" = '*' ] || pairs=$(count --cache=pair --explorer="$explorer" "$program" $processes)
            factor=*
            [ "$pairs" = '*' ] || factor=$(awk "BEGIN { printf \"%.1f\", $pairs / $states }")
            printf '%-22s %-9s %-8s %10s %12s %7s\n' $name $processes "$explorer" "$states" "$pairs" "$factor"
        done
    done
done
