#!/bin/sh
# Machines as threads (libheddle-machines.a): what they do, when all of them are at rest, and how a
# wrong program ends. The tests run many times with the archive, and a few times with all sources
# under the compiler's sanitizers, because these find errors in our own locks.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
failed=0
here=$SOURCE/tests/machines/production
names="features channels ping_pong many wrong"
CC=${CC:-cc}
fixed= # a command that fixes addresses, or nothing

fail() {
    echo "FAILED: $1"
    [ ! -s out ] || cat out
    failed=1
}

# `works TEXT COMMAND...`: the command must end well and print TEXT, and nothing else.
works() {
    printf '%s\n' "$1" >expected
    shift
    # shellcheck disable=SC2086
    timeout 600 $fixed "$@" >out 2>&1
    status=$?
    [ $status -eq 0 ] && cmp -s out expected || fail "$*: exit code $status"
}

# `dies TEXT WAY`: ./wrong WAY must abort, and print only TEXT.
dies() {
    printf '%s\n' "$1" >expected
    timeout 600 ./wrong "$2" >said 2>&1
    status=$?
    # The shell prints "Aborted", and timeout reports a core dump if cores are collected.
    sed -e 's|^.*/\(wrong.c:\)[0-9]*|\1LINE|' -e '/^Aborted/d' -e '/^timeout: .* dumped core$/d' said >out
    [ $status -eq 134 ] && cmp -s out expected || fail "wrong '$2': exit code $status, and not: $1"
}

# `repeat TIMES`: runs all programs that end well. Those that depend on the order of events run
# TIMES times.
repeat() {
    round=0
    while [ $round -lt "$1" ] && [ $failed -eq 0 ]; do
        works "as expected" ./features
        works "as expected" ./channels
        works "all answered" ./ping_pong 16 20
        round=$((round + 1))
    done
    works "all came round" ./many
    works "nothing was wrong" ./wrong
    works "nothing was wrong" ./wrong "monitor halts"
}

# --- with the archive
for name in $names; do
    "$CC" -std=gnu11 -O1 -g -Wall -Wextra -Werror -I"$SOURCE/include" -o "$name" "$here/$name.c" \
        "$BUILD/libheddle-machines.a" "$BUILD/libheddle-stub.a" -pthread || exit 1
done
repeat 30

# 3,000 halted machines do not keep the stacks of their threads, which would be 24 GB.
(ulimit -v 4000000 && works "all came round" ./many && exit $failed) || failed=1

while IFS='|' read -r way text; do
    dies "$text" "$way"
done <<'END'
unhandled|heddle: machine Victim 1: event OTHER is not handled by Victim in state "Going"
raises unhandled|heddle: machine Victim 1: event OTHER is not handled by Victim in state "Going"
pops too much|heddle: machine Victim 1: Victim pops state "Going", and there is none below
unknown state|heddle: machine Victim 1: Victim goes to state "Nowhere", which is unknown
two moves|heddle: machine Victim 1: one action of Victim, in state "Going", asks for two moves
moves twice|heddle: machine Victim 1: Victim moves by its table and by its action, on event GO
moves on leaving|heddle: machine Victim 1: Victim moves or raises while it leaves state "Leaving"
endless moves|heddle: machine Victim 1: Victim goes from state to state without end, now in "Endless"
endless raises|heddle: machine Victim 1: Victim raises more than 100 events in a row, now GO
endless pushes|heddle: machine Victim 1: Victim has pushed more than 8 states
queue is full|heddle: machine Victim 1: it sends GO to Victim 1, where 3 events wait already
channel is full|heddle: machine Victim 1: it sends GO to Victim 1, where 2 events wait already
channel is wide|heddle: machine Victim 1: it sends GO to Victim 1, where 3 events wait already
sends to nobody|heddle: machine Victim 1: it sends GO to machine 0, which does not exist
sends too far|heddle: machine Victim 1: it sends GO to machine 2, which does not exist
sends other bytes|heddle: machine Victim 1: event OTHER carries 4 bytes (int), not 1
announces other bytes|heddle: machine Victim 1: event OTHER carries 4 bytes (int), not 1
raises other bytes|heddle: machine Victim 1: event OTHER carries 4 bytes (int), not 1
creates monitor|heddle: machine Victim 1: machine_create of Looker, which is a monitor
creates wrong table|heddle: machine NoTarget: state "B", where "A" goes on GO, is unknown
starts within|heddle: machine Victim 1: machine_start while machines run
watches within|heddle: machine Victim 1: machine_watch while machines run
asserts|wrong.c:LINE: heddle_assert(machine_self() == 0) failed
thread sends|heddle: machine_send outside of a machine
main sends|heddle: machine_send outside of a machine
main creates|heddle: machine_create outside of a machine
main receives|heddle: machine_receive outside of a machine
main raises|heddle: machine_raise outside of a machine
main announces|heddle: machine_announce outside of a machine
main moves|heddle: machine_goto outside of a machine
main halts|heddle: machine_halt outside of a machine
watches machine|heddle: machine_watch of Victim, which is not a monitor
starts monitor|heddle: machine_start of Looker, which is a monitor
too many monitors|heddle: more than 8 monitors: Looker
two starts|heddle: machine TwoStarts: it has 2 START states instead of one
two names|heddle: machine TwoNames: two states are named "A"
two rows|heddle: machine TwoRows: state "A" has two rows for event GO
queue of none|heddle: machine NoQueue: QUEUE(0): from 1 to 1000 events may wait
queue too long|heddle: machine LongQueue: QUEUE(1001): from 1 to 1000 events may wait
no target|heddle: machine NoTarget: state "B", where "A" goes on GO, is unknown
monitor defers|heddle: monitor Deferring: state "A" defers GO: a monitor has no queue
monitor moves|heddle: monitor Looker: event GO is not handled by Looker in state "Deaf"
monitor sends|heddle: monitor Looker: machine_send by a monitor, which only looks on
monitor creates|heddle: monitor Looker: machine_create by a monitor, which only looks on
monitor receives|heddle: monitor Looker: machine_receive by a monitor, which only looks on
monitor announces|heddle: monitor Looker: machine_announce by a monitor, which only looks on
monitor asserts|wrong.c:LINE: heddle_assert(machine_sender() == 7) failed
end asserts|wrong.c:LINE: heddle_assert(false) failed
end moves|heddle: monitor Looker: it moves or raises at the end
END

# --- under the sanitizers, with the sources
# `objects FLAGS...`: compiles all of our sources that such a program needs.
objects() {
    rm -f ./*.o
    find "$SOURCE/src/machines" "$SOURCE/src/stub" -name '*.c' >sources
    while read -r source; do
        "$CC" "$@" -I"$SOURCE/src" -c -o "$(echo "$source" | tr / _).o" "$source" || exit 1
    done <sources
}

# If the kernel places addresses far apart, ThreadSanitizer may fail to start.
fixed="setarch $(uname -m) -R"
$fixed true 2>/dev/null || fixed=
echo 'int main(void) { return 0; }' >empty.c
for sanitizer in thread address,undefined; do
    if ! "$CC" -fsanitize=$sanitizer -o empty empty.c || ! $fixed ./empty; then
        echo "no -fsanitize=$sanitizer here: left out"
        continue
    fi
    set -- -std=gnu11 -O1 -g -fsanitize=$sanitizer -fno-sanitize-recover=all -I"$SOURCE/include"
    objects "$@"
    for name in $names; do
        "$CC" "$@" -o "$name" "$here/$name.c" ./*.o -pthread || exit 1
    done
    repeat 5
done
exit $failed
