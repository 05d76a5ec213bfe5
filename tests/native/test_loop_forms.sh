#!/bin/sh
# The loops in which ordinary code waits, by `heddle run` without a strategy: each gets an answer, and none of them
# takes minutes. BUILDS names compilers and levels; all four are g++-O0 g++-O2 clang++-O0 clang++-O2.
set -u
. "$SOURCE/tests/programs/programs.sh"
cd "$work" || exit 1

for build in ${BUILDS:-g++-O0 clang++-O2}; do
    command -v "${build%-*}" >/dev/null || continue
    HEDDLE_CXX=${build%-*} "$HEDDLE" c++ -std=c++20 "-${build##*-}" -o "$build" "$SOURCE/tests/native/loop_forms.cpp" ||
        fail "loop_forms does not compile for $build"
done

# Runs a form with each build, and shows the answer: the exit code, the verdict, and the strategy that gave it.
gives() { # FORM EXIT VERDICT STRATEGY
    for program in *-O?; do
        checked=$((checked + 1))
        run_tool -q --json=a.json ./"$program" "$1"
        got="$(field a.json exit_code) $(field a.json verdict) $(field a.json strategy)"
        printf '%-15s %-11s %s, %s s\n' "$1" "$program" "$got" "$(field a.json cpu_seconds)"
        [ "$got" = "$2 $3 $4" ] || fail "$1, $program: '$got', not '$2 $3 $4'"
        [ "$2" -eq 0 ] || grep -q 'no bug in 10,000 random executions.*loops that do not end' a.json ||
            fail "$1, $program: the answer does not name what it is worth"
    done
}

gives copy 0 verified optimal   # the look blocks: one execution
gives pauses 0 verified optimal # the pause has a cap
# Rounds that leave the state of the program as it was are cut by states.
gives lock-look 0 verified ses
gives lock-look-yield 0 verified ses
# All states were visited. But behind a try that fails there could be a data race that no state shows.
gives try-lock 3 undecided random
gives std-lock 3 undecided random
gives scoped-lock 3 undecided random
# No state comes again, because something is counted, or the clock was read.
gives wait-for 3 undecided random
gives timed-lock 3 undecided random
gives counter 3 undecided random
gives ticks 3 undecided random
finish
