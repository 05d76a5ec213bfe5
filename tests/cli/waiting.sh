# waiting.sh - sourced by tests that run something beside themselves: wait for what happens, never for a time. How
# long a machine takes is its own business: patience ends when something must be wrong. Needs $work, and checks.sh.

patience=${PATIENCE:-300} # seconds
background=  # the process that start() has started last

# await COMMAND...: until it succeeds. False: it never did.
await() {
    for twentieth in $(seq $((20 * patience))); do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

# start COMMAND...: in the background; $background is its number, `out` and `err` what it says.
start() {
    forget_results "$@"
    "$@" >out 2>err &
    background=$!
}

# end_started: waits for it. Its exit code is in $status.
end_started() {
    wait "$background" 2>/dev/null
    status=$?
    background=
}

# For the trap of a test: nothing goes on behind it.
kill_started() {
    [ -z "$background" ] || kill -KILL "$background" 2>/dev/null
}

# What a run has started: its program, and while it minimises another tool.
children_of() {
    cat "/proc/$1/task/$1/children" 2>/dev/null
}

# has_worked PROCESS: it has had 0.3 s of CPU time. A program comes to its main in a fraction of that.
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

# searching: the run that was started is in the middle of its search.
searching() {
    await child_has_worked "$background" || fail "it does not search: $(cat out err)"
}

# Whoever runs a program out of $work; by its file, since other tests have programs of the same names.
own_processes() {
    readlink /proc/[0-9]*/exe 2>/dev/null | grep -F "$work/"
}

all_are_gone() {
    [ -z "$(own_processes)" ]
}

nobody_left() {
    await all_are_gone || fail "still running: $(own_processes)"
}
