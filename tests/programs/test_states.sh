#!/bin/sh
# The search that remembers states says of each program what the others say, and counts the states of those
# whose number is known. Data races are found where a state shows them; where something hides them, it says so.
set -u
. "$SOURCE/tests/programs/programs.sh"

# `states NAME ARGUMENT STATES TRANSITIONS OPTIONS...`
states() {
    name=$1 argument=$2 states=$3 transitions=$4
    shift 4
    checked=$((checked + 1))
    run_tool -q --strategy=ses --json="$work/a.json" --trace="$work/a.trace" "$@" "$BUILD/programs/$name" "$argument"
    got="$(field "$work/a.json" states) states, $(field "$work/a.json" transitions) transitions"
    [ "$got" = "$states states, $transitions transitions" ] ||
        fail "$name $argument: $states states, $transitions transitions are known; got $got ($*)"
}

# 003, Table 1: nothing is shared there but the forks.
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

# `says TEXT OPTIONS...`: exit code 2, and this on stderr.
says() {
    text=$1
    shift
    checked=$((checked + 1))
    "$HEDDLE" run "$@" "$BUILD/programs/philosophers" 2 >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q -e "$text" "$work/out" || fail "$*: no usage error '$text'"
}
says "raises its bound by itself" --strategy=ses --deepen=delays
says "unknown explorer 'none'" --strategy=ses --explorer=none

# `verdict WANT OPTIONS...`
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

# What it finds is found again, and says by how many delays.
checked=$((checked + 1))
rm -f "$work/a.trace"
run_tool -q --strategy=ses --explorer=rr --json="$work/a.json" --trace="$work/a.trace" "$BUILD/programs/philosophers" 4
delays=$(sed -n '/^  "findings": /,$s/^ *"delays": \([0-9]*\).*$/\1/p' "$work/a.json")
[ "$delays" -ge 1 ] || fail "philosophers 4: found by '$delays' delays"
"$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
[ $? -eq 1 ] || fail "replay of what ses has found"

for name in $(programs); do
    want=$(expected "$name")
    case $want in
    "bug divergence") continue ;; # a loop of plain reads is one of operations here, and is cut
    esac
    checked=$((checked + 1))
    explore "$work/a.json" "$BUILD/programs" "$name" --strategy=ses --explorer=rr --keep-going
    as_expected "$work/a.json" "$want" || is_hidden "$work/a.json" ||
        fail "$name: expected '$want', got '$(answer "$work/a.json")': $(field "$work/a.json" message)"
done
finish
