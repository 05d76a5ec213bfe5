# protocols.sh - sourced by tests and benchmarks: reads the head comments of programs/protocols.

# protocols: prints the names of all protocols.
protocols() {
    for source in "$SOURCE"/programs/protocols/*.c; do
        name=${source##*/}
        echo "${name%.c}"
    done
}

# sizes NAME: prints the sizes at which Heddle must verify the protocol.
sizes() {
    sed -n 's/^ \* correct: *//p' "$SOURCE/programs/protocols/$1.c" | head -n 1
}

# bugs NAME: prints a line "NUMBER KIND PARTICIPANTS" for each bug.
bugs() {
    sed -n 's/^ \* bug \([0-9]*\) \([a-z-]*\) at \([0-9]*\):.*$/\1 \2 \3/p' "$SOURCE/programs/protocols/$1.c"
}
