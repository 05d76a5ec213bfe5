#!/bin/sh
# strata.sh [PROTOCOL...] - how soon each bug of programs/protocols is found, as in 001, Table 1.
#
# Sampling (schedules until the bug): RS is random, IRS is random-deepening, PCT has k = 5000 and d = 5, SS runs with
# each explorer. Exhaustive (states until the bug): PB is preemption-bounding, SES runs with each explorer. A strategy
# that depends on a seed shows the median of five seeds. `*` means that SCHEDULES schedules or SECONDS_MAX seconds
# were not enough. LARGER is a number of participants that is added to the smallest sufficient one. The end of the
# output says which claims of 001 hold.
. "$(dirname "$0")/common/measure.sh"
SOURCE=$(dirname "$0")/..
. "$SOURCE/tests/protocols/protocols.sh"
schedules=${SCHEDULES:-10000}
seconds=${SECONDS_MAX:-10}
seeds=${SEEDS:-"1 2 3 4 5"}
larger=${LARGER:-0} # participants beyond the smallest sufficient number

# once FIELD OPTIONS...: prints the field if the bug was found, else a number beyond all others.
once() {
    wanted=$1
    shift
    "$heddle" run -q --timeout="${seconds}s" --json="$work/out.json" --trace="$work/t.trace" "$@" >/dev/null 2>&1 || :
    if [ "$(field verdict)" = bug ]; then field "$wanted"; else echo 999999999; fi
}

# median FIELD OPTIONS...: prints the median over the seeds.
median() {
    for seed in $seeds; do
        once "$@" --seed="$seed" "$program" "$size" "$bug"
    done | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

single() {
    once "$@" "$program" "$size" "$bug"
}

row() {
    for strategy in random random-deepening pct "ss --explorer=rr" "ss --explorer=rtc" "ss --explorer=prr"; do
        # shellcheck disable=SC2086
        median executions --max-executions="$schedules" --strategy=$strategy
    done
    single states --strategy=preemption-bounding
    single states --strategy=ses --explorer=rr
    single states --strategy=ses --explorer=rtc
    median states --strategy=ses --explorer=prr
}

table() {
    for name in $(if [ $# -gt 0 ]; then echo "$@"; else protocols; fi); do
        program=$build/programs/protocols/$name
        bugs "$name" >"$work/bugs"
        while read -r bug kind size; do
            size=$((size + larger))
            echo "${name}_$bug" $(row)
        done <"$work/bugs"
    done
}

table "$@" | awk '
function show(value) { return value == 999999999 ? "*" : value }
function least(a, b) { return a < b ? a : b }
BEGIN {
    form = "%-24s %7s %7s %7s %7s %7s %7s  %8s %8s %8s %8s\n"
    printf form, "", "", "", "", "SS", "SS", "SS", "", "SES", "SES", "SES"
    printf form, "bug", "RS", "IRS", "PCT", "RR", "RTC", "PRR", "PB", "RR", "RTC", "PRR"
}
{
    printf form, $1, show($2), show($3), show($4), show($5), show($6), show($7), show($8), show($9), show($10), show($11)
    fflush()
    bugs++
    ses = least($9, least($10, $11))
    ss = least($5, least($6, $7))
    other = least($2, least($3, $4))
    pb_worse += ses < $8
    pb_much += 2 * ses <= $8
    pb_better += $8 < ses
    rr += $9 == ses && ses < 999999999; rtc += $10 == ses && ses < 999999999; prr += $11 == ses && ses < 999999999
    ss_best += ss < other; ss_worse += other < ss
    ss_pct += ss <= $4
    missed += ses == 999999999
    pb_missed += $8 == 999999999
}
END {
    printf "\n%d bugs. SES with its best explorer needs fewer states than PB for %d, at most half as many for %d;", bugs, pb_worse, pb_much
    printf " more for %d.\nNot found within the budget: SES %d, PB %d.\n", pb_better, missed, pb_missed
    printf "Best explorer of SES (ties count for each): RR %d, RTC %d, PRR %d.\n", rr, rtc, prr
    printf "SS with its best explorer needs fewer schedules than PCT, RS and IRS for %d, more for %d; no more than PCT for %d.\n", ss_best, ss_worse, ss_pct
    print "Differences from 001: executions have 20 to 150 steps here, not thousands. Faults and losses are choices of two:"
    print "a random walk takes the bad one every other time, while each one costs SS a delay. So RS and PCT need few"
    print "schedules. PB is exact here: with each state it remembers which task could go on, and few preemptions reach far"
    print "in small systems."
}'
