#!/bin/sh
# One finding must not hide another. Each program of findings/ says which kinds there are, and how many findings.
# With --keep-going every strategy that decides finds them all, and each can be replayed.
set -u
HEDDLE_OPTIONS=minimise=off # this is about what is found
export HEDDLE_OPTIONS
[ -x "$HEDDLE" ] || { echo "no tool yet"; exit 77; }
. "$SOURCE/tests/programs/programs.sh"
cd "$work" || exit 1

# A line "KEY: VALUE" of a program's header comment.
says() {
    sed -n "s,^ \* $2: *,,p" "$1" | sed 's, *\*/$,,' | head -n 1
}

# check SOURCE WHAT OPTIONS...: one exploration.
check() {
    source=$1 what=$2
    shift 2
    checked=$((checked + 1))
    rm -f a.json t*.trace
    # shellcheck disable=SC2046
    "$HEDDLE" run --keep-going --timeout=600s --json=a.json "$@" $(says "$source" options) ./t >out 2>&1
    got=$(answer a.json | sed 's, *$,,')
    [ "$got" = "$(says "$source" expect)" ] || fail "$what: '$got': $(cat out)"
    findings=$(says "$source" findings)
    [ "$(grep -c '^SUMMARY' out)" = "$findings" ] || fail "$what: not $findings findings: $(cat out)"
}

check_replays() {
    for trace in t*.trace; do
        "$HEDDLE" replay -q "$trace" >out 2>&1
        [ $? = 1 ] || fail "$1: $trace does not come again: $(cat out)"
    done
}

check_all() {
    name="${1##*/} $2"
    "$HEDDLE" cc -std=gnu11 -g "$2" -o t "$1" >out 2>&1 || { fail "$name does not compile: $(cat out)"; return; }
    for strategy in optimal source classic observers persistent dfs; do
        check "$1" "$name $strategy" --strategy=$strategy
        check_replays "$name $strategy"
    done
    check "$1" "$name fork" --isolate=fork
    check "$1" "$name without checkpoints" --checkpoints=off --strategy=dfs
}

for source in "$SOURCE"/tests/native/findings/*.c; do
    check_all "$source" -O0
    check_all "$source" -O2
done

finish
