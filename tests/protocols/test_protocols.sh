#!/bin/sh
# Each protocol at its smallest size is verified, and every explorer sees the same number of states. Each of its bugs is
# found by ses, and is of the kind that the header of the protocol says.
#
# EXPLORERS, TIME and SIZES ("all") make the test longer: see test-long. NAMES selects protocols; the default is all.
set -u
HEDDLE_OPTIONS=minimise=off # this is about what is found
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
. "$SOURCE/tests/protocols/protocols.sh"
explorers=${EXPLORERS:-"rtc rr"}
time=${TIME:-600s}

run() {
    run_tool -q --strategy=ses --timeout="$time" --json="$work/a.json" --trace="$work/a.trace" "$@"
}

# `correct NAME SIZE`
correct() {
    states=
    for explorer in $explorers; do
        checked=$((checked + 1))
        run --explorer="$explorer" "$BUILD/programs/protocols/$1" "$2"
        [ "$(field "$work/a.json" verdict)" = verified ] ||
            fail "$1 $2: $explorer: $(answer "$work/a.json")"
        now=$(field "$work/a.json" states)
        [ "$now" -gt 1 ] || fail "$1 $2: $explorer: '$now' states"
        [ -z "$states" ] || [ "$states" = "$now" ] ||
            fail "$1 $2: $now states by $explorer, $states by the one before"
        states=$now
    done
}

# `wrong NAME BUG KIND SIZE`
wrong() {
    checked=$((checked + 1))
    run "$BUILD/programs/protocols/$1" "$4" "$2"
    [ "$(answer "$work/a.json")" = "bug $3" ] ||
        fail "$1 $4, bug $2: $3 is expected, not $(answer "$work/a.json")"
}

for name in ${NAMES:-$(protocols)}; do
    for size in $(sizes "$name"); do
        correct "$name" "$size"
        [ "${SIZES:-}" = all ] || break
    done
    [ -n "$(sizes "$name")" ] || fail "$name: its header names no size"
    [ -n "$(bugs "$name")" ] || fail "$name: its header names no bug"
    bugs "$name" >"$work/bugs"
    while read -r bug kind size; do
        wrong "$name" "$bug" "$kind" "$size"
    done <"$work/bugs"
done
finish
