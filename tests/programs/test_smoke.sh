#!/bin/sh
# Some programs, one for each kind of bug, and their repaired versions. They are built here, and
# found or verified by the default strategy, by dfs and, except for data races, by ses. Each finding
# must come again in a replay. This test is for `make check`, which builds no programs.
# test_expectations.sh and other tests run all programs.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

# build NAME: compiles the program into $work.
build() {
    case $(source_of "$1") in
    *.cpp) "$HEDDLE" c++ -std=c++20 -g -o "$work/$1" "$(source_of "$1")" || fail "$1 does not compile" ;;
    *) "$HEDDLE" cc -std=gnu11 -g -o "$work/$1" "$(source_of "$1")" || fail "$1 does not compile" ;;
    esac
}

# try NAME STRATEGY: runs the program, compares its answer, and replays a finding.
try() {
    checked=$((checked + 1))
    rm -f "$work/$1.trace"
    explore "$work/a.json" "$work" "$1" --strategy="$2"
    as_expected "$work/a.json" "$(expected "$1")" || { [ "$2" = ses ] && is_hidden "$work/a.json"; } ||
        fail "$1: $2: $(answer "$work/a.json"): $(cat "$work/out")"
    [ "$(expected "$1")" != verified ] || return
    "$HEDDLE" replay -q "$work/$1.trace" >"$work/out" 2>&1
    [ $? -eq 1 ] || fail "$1: $2: its trace is not repeated: $(cat "$work/out")"
}

for pair in abba queue lost_update publish use_after_free barrier_count cancel choose cxx_mutex mailbox rwlock spin_flag; do
    for name in ${pair}_right ${pair}_wrong; do
        build $name
        try $name optimal
        try $name dfs
        [ "$(expected $name)" = "bug data-race" ] || try $name ses
    done
done
finish
