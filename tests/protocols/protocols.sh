# protocols.sh - sourced by tests and benchmarks: what the headers of programs/protocols say.

# All protocols, by name.
protocols() {
    for source in "$SOURCE"/programs/protocols/*.c; do
        name=${source##*/}
        echo "${name%.c}"
    done
}

# `sizes NAME`: for which everything is to be verified.
sizes() {
    sed -n 's/^ \* correct: *//p' "$SOURCE/programs/protocols/$1.c" | head -n 1
}

# `bugs NAME`: a line "NUMBER KIND PARTICIPANTS" each.
bugs() {
    sed -n 's/^ \* bug \([0-9]*\) \([a-z-]*\) at \([0-9]*\):.*$/\1 \2 \3/p' "$SOURCE/programs/protocols/$1.c"
}
