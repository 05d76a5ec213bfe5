#!/bin/sh
# spin.sh - compares the search by states with SPIN, in turns, on this machine. The models in bench/spin/ have exactly
# the states and steps of our programs; this is checked first, by SPIN with whole states. The table then shows ses
# (round robin) and the verifier that SPIN generates, without its reduction and with hash compaction (-DHC4), since
# ses keeps fingerprints, too. The fingerprints of HC4 are so short that it loses some states. CPU seconds are the
# least of ROUNDS runs (3). `bytes` is memory for each state: that of the whole process, less that of the smallest
# size of the program; of SPIN, it has its hash table, of 2 to 4 places a state. The last column is the speed of ses,
# divided by that of SPIN.
#
# SPIN's first step is the last one before our first choice. So it has one state and one transition more, and it
# counts its first state as a transition, too.
. "$(dirname "$0")/common/measure.sh"
models=$(cd "$(dirname "$0")/spin" && pwd)
rounds=${ROUNDS:-3}
for tool in spin cc; do
    command -v "$tool" >"$work/path" || {
        echo "spin.sh: $tool was not found. Nothing was compared. SPIN is the package 'spin' of most distributions"
        exit 0
    }
done

verifier() { # verifier NAME SIZE OPTIONS...: makes $work/pan
    (cd "$work" && spin -DSIZE="$2" -a "$models/$1.pml" >spin.out && shift 2 &&
        cc -O2 -w -DSAFETY -DNOREDUCE -DMEMLIM=16000 "$@" -o pan pan.c)
}

verify() { # verify TABLE: its options: an ample depth, and a hash table of 2^TABLE places
    "$work/pan" -m10000 -w"$1" >"$work/pan.out"
}

# said TEXT: prints the number before TEXT in the verifier's output
said() {
    sed -n "s/^[[:space:]]*\([0-9.]*\)[[:space:]]*$1.*/\1/p" "$work/pan.out" | head -n 1
}

# verify_once TABLE: prints the CPU seconds
verify_once() {
    bash -c 'TIMEFORMAT="%U %S"; time "$@" >"$0"' "$work/pan.out" "$work/pan" -m10000 -w"$1" 2>"$work/times"
    awk '{ print $1 + $2 }' "$work/times"
}

ses() { # ses OPTIONS... PROGRAM SIZE
    run_once --strategy=ses --explorer=rr --memory=4G "$@"
}

# take NEW OLD: the lesser
take() {
    awk -v new="$1" -v old="$2" 'BEGIN { print old == "" || new < old ? new : old }'
}

line() { # line WHO STATES TRANSITIONS SECONDS KILOBYTES
    awk -v who="$1" -v states="$2" -v transitions="$3" -v seconds="$4" -v kb="$5" 'BEGIN {
        printf "  %-6s %10d %12d %8.2f %12.0f %8.1f", who, states, transitions, seconds, transitions / seconds,
            kb * 1024 / states }'
}

row() { # row NAME SIZE SMALLEST TABLE
    program=$build/programs/protocols/$1
    ses "$program" "$3" >"$work/seconds"
    empty=$(field memory_kb)
    verifier "$1" "$2"
    verify "$4"
    whole="$(($(said 'states, stored') - 1)) $(($(said 'transitions') - 2))"
    verifier "$1" "$2" -DHC4
    ours='' theirs=''
    for round in $(seq "$rounds"); do
        ours=$(take "$(ses "$program" "$2")" "$ours")
        theirs=$(take "$(verify_once "$4")" "$theirs")
    done
    echo "$1($2)"
    states=$(field states) transitions=$(field transitions)
    line ses "$states" "$transitions" "$ours" $(($(field memory_kb) - empty))
    echo
    [ "$whole" = "$states $transitions" ] || echo "  the model differs: it has $whole states and transitions"
    line SPIN "$(said 'states, stored')" "$(said 'transitions')" "$theirs" \
        "$(said 'total actual memory usage' | awk '{ print $1 * 1024 }')"
    awk -v ours="$transitions" -v t="$ours" -v theirs="$(said transitions)" -v s="$theirs" \
        'BEGIN { printf " %9.2f\n", ours / t / (theirs / s) }'
}

printf '%-8s %10s %12s %8s %12s %8s %9s\n' program states transitions 'CPU s' 'a second' bytes speed
row lcr 9 2 22
row bfs 5 2 22
row msmie 3 1 19
