#!/bin/sh
# bounding.sh [PROTOCOL...] - the number of states until each bug of programs/protocols is found, as in 000, Table 2:
# iterative depth bounding (the median of five seeds) against iterative delay bounding with each explorer. `*` means
# that SECONDS_MAX seconds were not enough.
. "$(dirname "$0")/common/measure.sh"
SOURCE=$(dirname "$0")/..
. "$SOURCE/tests/protocols/protocols.sh"
seconds=${SECONDS_MAX:-10}
seeds=${SEEDS:-"1 2 3 4 5"}

once() {
    "$heddle" run -q --timeout="${seconds}s" --json="$work/out.json" --trace="$work/t.trace" "$@" >/dev/null 2>&1 || :
    if [ "$(field verdict)" = bug ]; then field states; else echo 999999999; fi
}

median() {
    for seed in $seeds; do
        once --seed="$seed" "$@" "$program" "$size" "$bug"
    done | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

row() {
    median --strategy=depth-bounding
    once --strategy=ses --explorer=rr "$program" "$size" "$bug"
    once --strategy=ses --explorer=rtc "$program" "$size" "$bug"
    median --strategy=ses --explorer=prr
    median --strategy=ses --explorer=random
}

for name in $(if [ $# -gt 0 ]; then echo "$@"; else protocols; fi); do
    program=$build/programs/protocols/$name
    bugs "$name" >"$work/bugs"
    while read -r bug kind size; do
        echo "${name}_$bug" $(row)
    done <"$work/bugs"
done | awk '
function show(value) { return value == 999999999 ? "*" : value }
function least(a, b) { return a < b ? a : b }
BEGIN {
    form = "%-24s %10s %10s %10s %10s %10s\n"
    printf form, "bug", "depth", "rr", "rtc", "prr", "random"
}
{
    printf form, $1, show($2), show($3), show($4), show($5), show($6)
    fflush()
    best = least(least($3, $4), least($5, $6))
    bugs++
    fewer += best < $2; tenth += 10 * best <= $2; more += $2 < best; missed += $2 == 999999999
}
END {
    printf "\n%d bugs. Delay bounding by its best explorer needs fewer states for %d, at most a tenth for %d; more for %d.", bugs, fewer, tenth, more
    printf " Depth bounding misses %d.\n", missed
}'
