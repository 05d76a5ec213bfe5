#!/bin/sh
# Going back to a saved state and executing everything from the beginning must give the same numbers
# and findings. With checkpoints, an execution costs only what is new in it, however long its
# beginning is.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

same() { # name, strategy, arguments of heddle run and the program's own, `--` between them
    name=$1 strategy=$2
    shift 2
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    checked=$((checked + 1))
    for checkpoints in on off; do
        # shellcheck disable=SC2046,SC2086
        run_tool -q --strategy="$strategy" --checkpoints=$checkpoints --keep-going --timeout=600 \
            --max-executions=3000 --json="$work/$checkpoints.json" --output="$work" \
            $(said "$name" options) $options "$BUILD/programs/$name" "$@"
    done
    for key in verdict executions blocked_executions dropped_executions transitions depth_max; do
        a=$(field "$work/on.json" $key) b=$(field "$work/off.json" $key)
        [ "$a" = "$b" ] || fail "$name $*, $strategy: $key: $a with checkpoints, $b without"
    done
    [ "$(kinds "$work/on.json")" = "$(kinds "$work/off.json")" ] ||
        fail "$name $*, $strategy: $(kinds "$work/on.json") with, $(kinds "$work/off.json") without"
}

for name in $(programs); do
    same "$name" optimal --
    same "$name" dfs --
    case $(expected "$name"):$(answer "$work/on.json") in
    "verified:verified " | "verified:budget-ended " | bug*:bug* | bug*:budget-ended*) ;;
    *) fail "$name: $(answer "$work/on.json")" ;;
    esac
done
for name in ms_queue_right treiber_wrong thread_pool_right rcu_right cxx_condition_right; do
    same "$name" optimal --races=explore --
    same "$name" source --spurious-wakeups --
done
same readers optimal -- 10
same lastzero source -- 8
same filesystem optimal -- 20
same indexer optimal -- 14
same lock optimal -- 5
same ext2 optimal -- 9

# The 4 n steps of the beginning are executed three times: once at first, once more because more
# threads are needed than were prepared, and once to save states on the way. They are not executed
# for each of the 1,024 executions.
for rounds in 100 1000; do
    checked=$((checked + 1))
    run_tool -q --json="$work/a.json" "$BUILD/programs/long_prefix" $rounds 10
    [ "$(field "$work/a.json" verdict) $(field "$work/a.json" executions)" = "verified 1024" ] ||
        fail "long_prefix $rounds 10: $(answer "$work/a.json"): $(cat "$work/out")"
    # steps that were executed in addition to the new ones
    over=$(($(field "$work/a.json" steps) - $(field "$work/a.json" transitions)))
    [ "$over" -le $((3 * (4 * rounds + 4) + 2048)) ] ||
        fail "long_prefix $rounds 10: $over steps were executed again"
done
finish
