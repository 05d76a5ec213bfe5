#!/bin/sh
# test_strings.sh - functions of the C library and system calls read and write memory for the
# program. These accesses are seen like the program's own. copies/copies.h explains how an access
# that is seen doubles the number of executions.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
origin=$SOURCE/tests/native/copies

explores() {
    run_tool --json=a.json --races=explore ./t
    grep -q '^  "verdict": "verified"' a.json || fail "$1: $(cat out)"
    grep -q "^  \"executions\": $2," a.json || fail "$1: not $2 executions: $(cat out)"
}

# finds WHAT TEXT ARGUMENTS...: the run must have a finding, and print TEXT.
finds() {
    what=$1 text=$2
    shift 2
    run_tool --json=a.json "$@"
    [ $status -eq 1 ] || fail "$what: $*: no finding: $(cat out)"
    grep -q "$text" out || fail "$what: $*: does not say '$text': $(cat out)"
}

# Functions for strings and system calls: 36 with one place, 2 * 2 executions each, and 7 with two
# places, 4 * 2 each.
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for options in -O0 -O2 "-O2 -D_FORTIFY_SOURCE=2"; do
        # shellcheck disable=SC2086
        HEDDLE_CC=$compiler "$HEDDLE" cc -w $options -o t "$origin/strings.c" >out 2>&1 || fail "$compiler: $(cat out)"
        explores "strings $compiler $options" $((36 * 4 + 7 * 8))
    done
done
for way in strlen strcmp strcasecmp strspn memmem strcpy memccpy strdup memchr write sendmsg fputs; do
    finds "strings" "after free" ./t freed $way $(grep "X($way," "$origin/strings.c" | sed 's/[^,]*, *\([0-9]*\),.*/\1/')
    finds "strings" "data race" ./t race $way $(grep "X($way," "$origin/strings.c" | sed 's/[^,]*, *\([0-9]*\),.*/\1/')
done
exit $failed
