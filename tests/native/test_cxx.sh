#!/bin/sh
# C++ code that relies on libstdc++.so: the nodes of containers, strings, exceptions that pass from
# one thread to another, callbacks at the end of a thread. Each program of cxx/ states what to
# expect. It is compiled by each compiler, at -O0 and -O2, as C++17: from C++20 on, the functions of
# strings are compiled into the program.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
cd "$work" || exit 1

# check SOURCE COMPILER LEVEL: compiles and runs the program, and compares its answer.
check() {
    name="${1##*/} $2 $3"
    expect=$(sed -n 's,^ \* expect: *,,p' "$1" | sed 's, *\*/$,,')
    [ -n "$expect" ] || fail "$1 does not say what to expect"
    HEDDLE_CXX=$2 "$HEDDLE" c++ -std=c++17 "$3" -o t "$1" >out 2>&1 || { fail "$name does not compile: $(cat out)"; return; }
    [ ! -s out ] || fail "$name: $(cat out)"
    run_tool --timeout=600s --json=a.json ./t
    got=$(answer a.json | sed 's, *$,,')
    [ "$got" = "$expect" ] || fail "$name: '$got', not '$expect': $(cat out)"
}

for source in "$SOURCE"/tests/native/cxx/${1:-*}.cpp; do
    for compiler in g++ clang++; do
        for level in -O0 -O2; do
            check "$source" $compiler $level
        done
    done
done
exit $failed
