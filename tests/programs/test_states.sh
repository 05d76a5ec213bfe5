#!/bin/sh
# The search that remembers states must give the same answer for each program as the other
# strategies. If the number of states of a program is known, the search must count as many. It finds
# data races that a state shows. If something may hide a race, it says so.
set -u
. "$SOURCE/tests/programs/programs.sh"

# `states NAME ARGUMENT STATES TRANSITIONS OPTIONS...`: the search must count exactly these states
# and transitions.
states() {
    name=$1 argument=$2 states=$3 transitions=$4
    shift 4
    checked=$((checked + 1))
    run_tool -q --strategy=ses --json="$work/a.json" --trace="$work/a.trace" "$@" "$BUILD/programs/$name" "$argument"
    got="$(field "$work/a.json" states) states, $(field "$work/a.json" transitions) transitions"
    [ "$got" = "$states states, $transitions transitions" ] ||
        fail "$name $argument: $states states, $transitions transitions are known; got $got ($*)"
}

# Seed 003, Table 1. The philosophers share only the forks.
for explorer in rr rtc prr random; do
    for options in "" "--delay-step=3" "--checkpoints=off"; do
        # shellcheck disable=SC2086
        set -- --keep-going --explorer=$explorer $options
        states philosophers 2 17 18 "$@"
        states philosophers 3 75 123 "$@"
        states philosophers 4 321 708 "$@"
    done
done
states philosophers 5 1363 3765 --keep-going --explorer=rr

# `says TEXT OPTIONS...`: there must be exit code 2 and TEXT on stderr.
says() {
    text=$1
    shift
    checked=$((checked + 1))
    "$HEDDLE" run "$@" "$BUILD/programs/philosophers" 2 >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q -e "$text" "$work/out" || fail "$*: no usage error '$text'"
}
says "raises its bound by itself" --strategy=ses --deepen=delays
says "unknown explorer 'none'" --strategy=ses --explorer=none

# `verdict WANT OPTIONS...`: the verdict must be WANT.
verdict() {
    want=$1
    shift
    checked=$((checked + 1))
    run_tool -q --strategy=ses --json="$work/a.json" "$@"
    got=$(field "$work/a.json" verdict)
    [ "$got" = "$want" ] || fail "$*: verdict $got instead of $want"
}
verdict verified "$BUILD/programs/lock"
verdict no-bug-within-bound --delays=1 "$BUILD/programs/lock"
verdict budget-ended --max-steps=5 "$BUILD/programs/lock"
verdict budget-ended --max-executions=3 "$BUILD/programs/lock"

# A finding of ses comes again in a replay, and says how many delays it needs.
checked=$((checked + 1))
rm -f "$work/a.trace"
run_tool -q --strategy=ses --explorer=rr --json="$work/a.json" --trace="$work/a.trace" "$BUILD/programs/philosophers" 4
delays=$(sed -n '/^  "findings": /,$s/^ *"delays": \([0-9]*\).*$/\1/p' "$work/a.json")
[ "$delays" -ge 1 ] || fail "philosophers 4: found by '$delays' delays"
"$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
[ $? -eq 1 ] || fail "the replay of a finding of ses does not fail"

for name in $(programs); do
    want=$(expected "$name")
    case $want in
    "bug divergence") continue ;; # here a loop of plain reads consists of operations, and is cut off
    esac
    checked=$((checked + 1))
    explore "$work/a.json" "$BUILD/programs" "$name" --strategy=ses --explorer=rr --keep-going
    as_expected "$work/a.json" "$want" || is_hidden "$work/a.json" ||
        fail "$name: expected '$want', got '$(answer "$work/a.json")': $(field "$work/a.json" message)"
done
finish
