#!/bin/sh
# demo.sh BUILD - shows the main use of Heddle on two bundled programs: it finds the bug in a bounded queue, replays
# it by the command that the report prints, and verifies the repaired queue. Fails if a step does not behave as
# expected.
set -eu
build=$(cd "$1" && pwd)
PATH=$build:$PATH
export PATH
mkdir -p "$build/demo"
cd "$build/demo"
rm -f ./*.trace output.txt

heading() {
    printf '\n=== %s\n\n' "$1"
}

fail() {
    printf '\ndemo: %s\n' "$1" >&2
    exit 1
}

# expect CODE COMMAND: prints the command and its output, and fails if its exit code is not CODE. The output stays in
# output.txt.
expect() {
    echo "\$ $2"
    status=0
    sh -c "$2" >output.txt 2>&1 || status=$?
    cat output.txt
    [ "$status" -eq "$1" ] || fail "'$2' ended with exit code $status, not $1"
}

heading "1. A bounded queue with a bug: Heddle tries the interleavings until one breaks"
expect 1 "heddle run ../programs/queue_wrong"

replay=$(sed -n 's/^.*\(heddle replay .*[^ ]\) *$/\1/p' output.txt | tail -n 1)
[ -n "$replay" ] || fail "the report prints no command to replay the run"

heading "2. The same failing run again, by the command that the report prints"
expect 1 "$replay"

heading "3. The repaired queue: Heddle tries every interleaving that matters"
expect 0 "heddle run ../programs/queue_right"
grep -qi verified output.txt || fail "the repaired queue was not verified"

heading "The demo has worked as expected. The traces are in $build/demo"
