#!/bin/sh
# The synchronisation objects, beyond the programs of programs/: errors, misuse, time-outs, choices.
# Each program of sync/ states what to expect: the verdict, the number of executions with dfs, the
# number of findings with --keep-going, and a text of the report. It is compiled by each compiler,
# at -O0 and -O2, and must give the same under --isolate=fork.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
cd "$work" || exit 1

# says SOURCE KEY: the value of a line "KEY: VALUE" in the program's head comment.
says() {
    sed -n "s,^ \* $2: *,,p" "$1" | sed 's, *\*/$,,' | head -n 1
}

# compile SOURCE COMPILER LEVEL: compiles to ./t.
compile() {
    case $1 in
    *.cpp) HEDDLE_CXX=$2 "$HEDDLE" c++ -std=c++20 -g "$3" -o t "$1" ;;
    *) HEDDLE_CC=$2 "$HEDDLE" cc -std=gnu11 -g "$3" -o t "$1" ;;
    esac
}

# check SOURCE WHAT OPTIONS...: explores once and compares with what the program expects.
check() {
    source=$1 what=$2
    shift 2
    checked=$((checked + 1))
    # shellcheck disable=SC2046
    run_tool --keep-going --timeout=600s --json=a.json "$@" $(says "$source" options) ./t
    got=$(answer a.json | sed 's, *$,,')
    [ "$got" = "$(says "$source" expect)" ] || fail "$what: '$got': $(cat out)"
    text=$(says "$source" text)
    [ -z "$text" ] || tr -s "\n " " " <out | grep -qF "$text" || fail "$what: does not say '$text': $(cat out)"
    findings=$(says "$source" findings)
    [ -z "$findings" ] || [ "$(grep -c '^SUMMARY' out)" = "$findings" ] ||
        fail "$what: not $findings findings: $(cat out)"
}

check_count() {
    count=$(says "$1" executions)
    executions=$(field a.json executions)
    [ -z "$count" ] || [ "$count" = "$executions" ] ||
        fail "$2: $count executions are derived, $executions were explored"
}

check_all() {
    for level in -O0 -O2; do
        name="${1##*/} $2 $level"
        compile "$1" "$2" $level >out 2>&1 || { fail "$name does not compile: $(cat out)"; continue; }
        check "$1" "$name persistent" --strategy=persistent
        check "$1" "$name dfs" --strategy=dfs
        check_count "$1" "$name dfs"
    done
    check "$1" "$name fork" --isolate=fork
}

for source in "$SOURCE"/tests/native/sync/${1:-*}.c "$SOURCE"/tests/native/sync/${1:-*}.cpp; do
    [ -f "$source" ] || continue
    case $source in *.cpp) compilers="g++ clang++" ;; *) compilers="gcc clang" ;; esac
    for compiler in $compilers; do
        command -v $compiler >/dev/null && check_all "$source" $compiler
    done
done
finish
