#!/bin/sh
# Waiting by the C++ library (std::atomic::wait, barriers, latches, semaphores): the library polls before it sleeps, and
# `heddle c++` leaves out the tries that have no effect (include/heddle/c++/bits/atomic_wait.h).
set -u
. "$SOURCE/tests/programs/programs.sh"
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
cd "$work" || exit 1
programs=${PROGRAMS:-20}
first=${FIRST:-1}
limit=20000
HEDDLE_CXX=${HEDDLE_CXX:-g++}
export HEDDLE_CXX

echo '#include <bits/atomic_wait.h>' >probe.cpp
library=$($HEDDLE_CXX -std=c++20 -E probe.cpp | sed -n 's/^# 1 "\(.*atomic_wait.h\)".*/\1/p' | head -1)
grep -q __default_spin_policy "${library:-/dev/null}" || {
    echo "SKIPPED: this C++ library has no __atomic_spin"
    exit 77
}

# counts HOW THREADS EXECUTIONS
counts() {
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || continue
        for level in O0 O2; do
            program=library_waits-$compiler-$level
            [ -f "$program" ] ||
                HEDDLE_CXX=$compiler "$HEDDLE" c++ -std=c++20 -$level -o "$program" "$SOURCE/tests/native/library_waits.cpp" ||
                fail "$program does not compile"
            checked=$((checked + 1))
            run_tool -q --strategy=optimal --json=a.json ./"$program" "$1" "$2"
            [ "$(field a.json verdict)" = verified ] && [ "$(field a.json executions)" = "$3" ] ||
                fail "$program $1 $2: '$(answer a.json)' in $(field a.json executions) executions, not $3"
        done
    done
}

# The traces of a model of the library. Three waiters take the script some seconds: 4248.
counts flag 1 "$(python3 "$SOURCE/tests/native/library_waits.py" 1)"
counts flag 2 "$(python3 "$SOURCE/tests/native/library_waits.py" 2)"
counts flag 3 4248
# One thread acquires: it loads the value for the futex, looks, compares by the futex, and sleeps. The release comes
# before one of the first three steps, or after all of them.
counts semaphore 1 4
counts barrier 2 42 # snapshots
counts latch 2 42

# Random programs: the same outcomes as with the header of the library itself, which tries 16 times.
mkdir -p plain/bits && cp "$library" plain/bits/
build() { # NAME OPTIONS...
    name=$1
    shift
    "$HEDDLE" c++ -std=c++20 -O1 "$@" -o "$name" "$SOURCE/tests/native/random_waits.cpp" || exit 1
}
build reduced
build whole -Iplain

search() { # NAME
    rm -f "$1.set"
    run_tool -q --keep-going --strategy=optimal --max-executions=$limit --json="$1.json" --trace=a.trace ./"$1" "$seed" "$1.set"
}

skipped=0
seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    search whole
    search reduced
    checked=$((checked + 1))
    if [ "$(field whole.json verdict)" = budget-ended ]; then
        skipped=$((skipped + 1))
    else
        ./reduced compare whole.set reduced.set >differ || fail "seed $seed: $(cat differ): $(./reduced show $seed)"
        [ "$(kinds whole.json)" = "$(kinds reduced.json)" ] ||
            fail "seed $seed: the library '$(answer whole.json)', here '$(answer reduced.json)'"
    fi
    seed=$((seed + 1))
done
[ "$skipped" -le $((programs / 10)) ] || fail "$skipped programs were too long"
finish
