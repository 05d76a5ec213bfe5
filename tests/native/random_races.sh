# random_races.sh - sourced by tests. `compare_races FIRST LAST` compares two ways to find data
# races in random programs (random_races.c): by states (ses), and by the happens-before detector.
# Both must give the same answer if ses says that it can decide.
. "$SOURCE/tests/programs/programs.sh"

has_race() { # JSON
    kinds "$1" | grep -qw data-race
}

# If plain accesses are not operations, a free that races may come first in every execution. Then
# the finding is a use after free.
has_misuse() { # JSON
    kinds "$1" | grep -qw heap-misuse
}

compare_races() {
    "$HEDDLE" cc -O1 -o "$work/races" "$SOURCE/tests/native/random_races.c" || fail "random_races.c does not build"
    racy=0 decided=0
    seed=$1
    while [ "$seed" -le "$2" ]; do
        checked=$((checked + 1))
        rm -f "$work/by_history.json" "$work/by_states.json"
        "$HEDDLE" run -q --minimise=off --keep-going --output="$work" --json="$work/by_history.json" \
            "$work/races" "$seed" >"$work/out" 2>&1
        "$HEDDLE" run -q --minimise=off --keep-going --output="$work" --strategy=ses --json="$work/by_states.json" \
            "$work/races" "$seed" >"$work/out" 2>&1
        history=$(field "$work/by_history.json" verdict) states=$(field "$work/by_states.json" verdict)
        undecided=$(grep -c weak-order-races "$work/by_states.json")
        case $history in bug | verified) ;; *) fail "seed $seed: optimal says '$history'" ;; esac
        case $states in bug | verified) ;; *) [ "$undecided" -gt 0 ] || fail "seed $seed: ses says '$states'" ;; esac
        if has_race "$work/by_states.json"; then
            has_race "$work/by_history.json" || has_misuse "$work/by_history.json" ||
                fail "seed $seed: a state shows a race that the detector does not find"
            racy=$((racy + 1))
        elif [ "$undecided" -eq 0 ]; then
            has_race "$work/by_history.json" && fail "seed $seed: no state shows the race"
        fi
        [ "$undecided" -eq 0 ] && decided=$((decided + 1))
        [ "$undecided" -gt 0 ] && [ $((seed % 2)) -eq 0 ] && fail "seed $seed: an even seed has no weak orders, but ses does not decide"
        rm -f "$work"/*.trace
        seed=$((seed + 1))
    done
    echo "$racy with a race in a state, $decided of $checked decided by states"
    [ $((racy * 10)) -gt "$checked" ] && [ $((decided * 3)) -gt "$checked" ] || fail "too few of these programs have races or are decided"
}
