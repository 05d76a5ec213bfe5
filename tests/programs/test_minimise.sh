#!/bin/sh
# Every wrong program, found at random and by dfs. The minimised schedule must fail in the same way
# when it is replayed, and must have no more switches than the schedule that was found. It must be
# proven to have the fewest switches, and this number must not depend on where the minimiser began.
# The passing schedule must pass. (tests/unit/test_minimise.c checks, against all executions, that
# *proven* is true.)
set -u
. "$SOURCE/tests/programs/programs.sh"

# `evidence TRACE N`: field N of the evidence record.
evidence() {
    sed -n 's/^evidence\t//p' "$1" | cut -f "$2"
}

# `switches TRACE`: the number of context switches, counted from the decisions of the trace.
switches() {
    awk -F '\t' '$1 == "decision" && $2 == "schedule" { if (seen && $3 != last) count++; last = $3; seen = 1 }
                 END { print count + 0 }' "$1"
}

# `identity TRACE`: what makes two findings the same: their kind and places, in any order.
identity() {
    awk -F '\t' '$1 == "finding" { print $2 } $1 == "finding-stack" { print $5 } $1 == "wait" { print $12 }' "$1" | sort | tr '\n' ' '
}

check_passing() {
    "$HEDDLE" replay -q --passing "$1" >"$work/replay" 2>&1 ||
        fail "$name: the passing schedule does not pass: $(tail -n 1 "$work/replay")"
}

check() {
    trace=$work/$name.trace
    smaller=$work/smaller
    rm -f "$smaller"
    "$HEDDLE" min -q --max-executions=20000 -o "$smaller" "$trace" >"$work/out" 2>&1 ||
        fail "$name: min exits with $?: $(tail -n 1 "$work/out")"
    "$HEDDLE" replay "$smaller" >"$work/replay" 2>&1
    [ $? -eq 1 ] || fail "$name: the smaller schedule does not fail: $(tail -n 1 "$work/replay")"
    [ "$(field "$work/a.json" kind)" = divergence ] && return
    grep -q '^finding\t.*\t1\t[^\t]*$' "$trace" || [ "$(identity "$smaller")" = "$(identity "$trace")" ] ||
        fail "$name: the smaller schedule fails in another way"
    [ "$(evidence "$smaller" 2)" -eq "$(switches "$smaller")" ] || fail "$name: switches are miscounted"
    [ "$(evidence "$smaller" 3)" -eq "$(switches "$trace")" ] || fail "$name: those found are miscounted"
    [ "$(switches "$smaller")" -le "$(switches "$trace")" ] || fail "$name: more switches than before"
    [ "$(evidence "$smaller" 1)" = proven ] || fail "$name: nothing is proven"
    if grep -q '^passing-event' "$smaller"; then
        check_passing "$smaller"
        passing=$((passing + 1))
    fi
}

passing=0
twice=0
for name in $(programs); do
    case $(said "$name" expect) in bug*) ;; *) continue ;; esac
    for strategy in random dfs; do
        explore "$work/a.json" "$BUILD/programs" "$name" --strategy="$strategy" --minimise=off
        [ -f "$work/$name.trace" ] || { [ $strategy = random ] || fail "$name: no trace"; continue; }
        checked=$((checked + 1))
        check
        echo "$(identity "$smaller") $(switches "$smaller")" >>"$work/fewest"
        rm -f "$work/$name.trace"
    done
    # The same bug must have the same number of switches, wherever the minimiser began.
    [ "$(sort -u "$work/fewest" | wc -l)" -eq "$(sed 's/ [0-9]*$//' "$work/fewest" | sort -u | wc -l)" ] ||
        fail "$name: $(cat "$work/fewest")"
    twice=$((twice + $(sort "$work/fewest" | uniq -d | wc -l)))
    rm -f "$work/fewest"
done
[ "$twice" -gt 30 ] || fail "only $twice programs showed the same bug twice"
[ "$passing" -gt 50 ] || fail "only $passing passing schedules"
finish
