# waiting.sh - sourced by tests that run something in the background. They wait for an event, never for a certain
# time, because machines differ in speed. When $patience is over, something must be wrong. Needs $work, and checks.sh.

patience=${PATIENCE:-300} # seconds
background=  # the process that start() started last

# await COMMAND...: repeats the command until it succeeds. Returns false if it never does.
await() {
    for twentieth in $(seq $((20 * patience))); do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

# start COMMAND...: runs a command in the background. $background is its process; its output is in `out` and `err`.
start() {
    forget_results "$@"
    "$@" >out 2>err &
    background=$!
}

# end_started: waits for that process. Its exit code is in $status.
end_started() {
    wait "$background" 2>/dev/null
    status=$?
    background=
}

# For the trap of a test: ends everything that the test has started.
kill_started() {
    [ -z "$background" ] || kill -KILL "$background" 2>/dev/null
}

# The child processes of a run: its program, and another tool while it minimises.
children_of() {
    cat "/proc/$1/task/$1/children" 2>/dev/null
}

# has_worked PROCESS: true if the process has used 0.3 s of CPU time. A program reaches its main in a fraction of
# that.
has_worked() {
    ticks=$(sed -n 's/^.*) //p' "/proc/$1/stat" 2>/dev/null | awk '{ print $12 + $13 }')
    [ "${ticks:-0}" -ge $((3 * $(getconf CLK_TCK) / 10)) ]
}

child_has_worked() {
    for child in $(children_of "$1"); do
        has_worked "$child" && return 0
    done
    return 1
}

# searching: true if the started run is in the middle of its search.
searching() {
    await child_has_worked "$background" || fail "it does not search: $(cat out err)"
}

# All processes that run a program in $work. They are found by the file, because other tests have programs with the
# same names.
own_processes() {
    readlink /proc/[0-9]*/exe 2>/dev/null | grep -F "$work/"
}

all_are_gone() {
    [ -z "$(own_processes)" ]
}

nobody_left() {
    await all_are_gone || fail "still running: $(own_processes)"
}
