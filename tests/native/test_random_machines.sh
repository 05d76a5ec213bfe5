#!/bin/sh
# Random programs of machines are compared with a model that was written from the text of machine.h.
# The searches of states must see exactly its states and transitions, the searches of executions
# must end in exactly its final states, and all must find the same kinds of bugs. A second model, in
# which each action stops at each operation as it does without the tool, must find these kinds too.
# PROGRAMS is the number of programs, FIRST is the first seed.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
programs=${PROGRAMS:-50}
first=${FIRST:-1}
limit=${EXECUTIONS:-3000}
states_max=${STATES_MAX:-3000}
too_big=0 too_long=0
executions="dfs persistent classic source optimal" # compared by their final states

"$HEDDLE" cc -O1 -o "$work/program" "$SOURCE/tests/native/random_machines.c" || exit 1
cc -O2 -o "$work/model" "$SOURCE/tests/native/random_machines_model.c" || exit 1
cc -O2 -o "$work/stops" "$SOURCE/tests/native/random_machines_stops.c" || exit 1

# Sets verdict, states, transitions, finals, kinds. A deadlock has several kinds in the tool, and
# the model says "stuck" for all of them.
search() { # options...
    checked=$((checked + 1))
    run_tool -q --keep-going --json="$work/a.json" --output="$work" "$@" "$work/program" "$seed"
    verdict=none complete=false states=- transitions=- final_states=- kinds=
    [ ! -f "$work/a.json" ] || eval "$(awk '
        /^  "(verdict|complete|states|transitions|final_states)":/ {
            gsub(/[ ",]/, "")
            sub(/:/, "=")
            print
        }
        /"kind":/ {
            gsub(/[ ",]/, "")
            sub(/^kind:/, "")
            seen[$0 ~ /deadlock|blocked-forever/ ? "stuck" : $0] = 1
        }
        END {
            split("unhandled-event machine-misuse queue-overflow assertion stuck nonzero-exit", order, " ")
            for (i = 1; i <= 6; i++) if (order[i] in seen) { list = list order[i] ","; delete seen[order[i]] }
            for (other in seen) list = list other ","
            print "kinds=" list
        }' "$work/a.json")"
    case $status in 0 | 1 | 3) ;; *) fail "seed $seed: $*: exit code $status: $(head -n 2 "$work/out")" ;; esac
}

same_kinds() { # options...
    [ "$kinds" = "$model_kinds" ] || fail "seed $seed: $*: found '$kinds', the model '$model_kinds'"
    expected=verified
    [ "$model_finals" -gt 0 ] || expected=undecided # assumptions drop every execution
    [ -n "$kinds" ] || [ "$verdict" = $expected ] || fail "seed $seed: $*: $verdict"
}

# The search must visit every state and transition. If a machine waits within an action, the
# contents of its stack may distinguish more states than the model does. Preemptions are counted for
# each state and last mover.
visits_all() { # options...
    search "$@"
    if [ "$waits" = - ] && [ "$1" = --strategy=preemption-bounding ]; then
        [ "$states" = "$model_states" ] ||
            fail "seed $seed: $*: $states states, the model $model_states"
    elif [ "$waits" = - ]; then
        [ "$states $transitions" = "$model_states $model_transitions" ] ||
            fail "seed $seed: $*: $states states, $transitions transitions; the model $model_states, $model_transitions"
    else
        { [ "$states" -ge "$model_states" ] && [ "$transitions" -ge "$model_transitions" ]; } ||
            fail "seed $seed: $*: only $states states, $transitions transitions; the model $model_states, $model_transitions"
    fi
    same_kinds "$@"
}

# The search must reach every final state. Searches with too many executions are counted and
# skipped.
ends_alike() { # options...
    search --final-states --max-executions="$limit" "$@"
    if [ "$complete" = false ]; then
        too_long=$((too_long + 1))
        return
    fi
    same_kinds "$@"
    [ "$waits" = - ] || return
    [ "$final_states" = "$model_finals" ] || fail "seed $seed: $*: $final_states final states, the model $model_finals"
}

finds_alike() { # options...
    search --max-executions="$limit" "$@"
    if [ "$complete" = true ]; then
        same_kinds "$@"
    else
        too_long=$((too_long + 1))
    fi
}

compare_all() { # seed
    seed=$1
    read -r model_states model_transitions model_finals model_kinds waits <<END
$(STATES_MAX=$states_max "$work/model" "$seed")
END
    case $model_kinds in
    too-big*)
        too_big=$((too_big + 1))
        return
        ;;
    esac
    model_kinds=${model_kinds#none,}
    read -r _ _ _ stops_kinds _ <<END
$(STATES_MAX=$((10 * states_max)) "$work/stops" "$seed")
END
    [ "$stops_kinds" = "none,$model_kinds" ] || [ "${stops_kinds#too-big}" != "$stops_kinds" ] ||
        fail "seed $seed: '$stops_kinds' if each action stops, the model '$model_kinds'"
    for explorer in rr rtc prr random; do
        visits_all --strategy=ses --explorer=$explorer
    done
    visits_all --strategy=preemption-bounding
    visits_all --strategy=depth-bounding
    for strategy in $executions; do
        ends_alike --strategy=$strategy
    done
    finds_alike --strategy=observers
    finds_alike --strategy=portfolio
    finds_alike --strategy=portfolio --races=explore --slice=50 # its members share a session
    rm -f "$work"/*.trace
}

# Seeds that once showed an error: a task that was wiped, a monitor that failed halfway, a machine
# that halted before all was sent; sends that find no room, seen by a monitor or not, or by a
# strategy that does not look at how many events wait; values that a choice, or the step before,
# left on the stack of a machine; machines that wait for each other while others move, or because of
# a third one; an exit with a status.
for seed in ${KNOWN:-109 153 294 17 28 43 148 427 889 51 2458 8201 40171 40825 41003 5143}; do
    compare_all "$seed"
done
seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    compare_all "$seed"
    seed=$((seed + 1))
done
echo "$too_big programs had too many states, $too_long searches too many executions"
[ "$too_big" -lt $((programs / 2)) ] || fail "too many were left out"
[ "$too_long" -lt $((checked / 2)) ] || fail "too many searches were too long"
finish
