# measure.sh - sourced by the tables of bench/: runs of heddle, best of three (of ten if they are short, of forty
# if they are very short), and what their JSON says.
set -eu
build=${BUILD:-build}
heddle=$build/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# A field of the last run.
field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$work/out.json" | head -n 1
}

# `least WHAT...`: the least of what that prints, so often as it is worth.
least() {
    seconds=
    round=0
    while
        round=$((round + 1))
        seconds=$("$@" | awk -v s="$seconds" '{ print (s == "" || $1 < s) ? $1 : s }')
        awk "BEGIN { exit !($round < 3 || ($round < 10 && $seconds < 0.5) || ($round < 40 && $seconds < 0.1)) }"
    do :; done
}

# `run_once OPTIONS... PROGRAM ARGUMENTS...`: prints its seconds, of CPU.
run_once() {
    "$heddle" run -q --json="$work/out.json" "$@" >/dev/null || :
    field cpu_seconds
}

# The same, best of several: sets seconds.
measure() {
    least run_once "$@"
}
