# measure.sh - sourced by the tables of bench/: runs of heddle, best of three (of ten, if they are short), and
# what their JSON says.
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

# `measure OPTIONS... PROGRAM ARGUMENTS...`: sets seconds, of CPU.
measure() {
    seconds=
    for round in 1 2 3 4 5 6 7 8 9 10; do
        "$heddle" run -q --json="$work/out.json" "$@" >/dev/null || :
        now=$(field cpu_seconds)
        seconds=$(awk "BEGIN { s = \"$seconds\"; print (s == \"\" || $now < s) ? $now : s }")
        awk "BEGIN { exit !($round < 3 || $seconds < 0.5) }" || break
    done
}
