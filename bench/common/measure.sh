# measure.sh - sourced by the scripts of bench/: runs heddle several times and reads its JSON output. The best of 3
# runs counts (of 10 if they are short, of 40 if they are very short).
set -eu
build=${BUILD:-build}
heddle=$build/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# field NAME: prints a field of the last run's JSON.
field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$work/out.json" | head -n 1
}

# least COMMAND...: runs a command that prints seconds, several times, and sets seconds to the least.
least() {
    seconds=
    round=0
    while
        round=$((round + 1))
        seconds=$("$@" | awk -v s="$seconds" '{ print (s == "" || $1 < s) ? $1 : s }')
        awk "BEGIN { exit !($round < 3 || ($round < 10 && $seconds < 0.5) || ($round < 40 && $seconds < 0.1)) }"
    do :; done
}

# run_once OPTIONS... PROGRAM ARGUMENTS...: runs heddle once and prints the CPU seconds.
run_once() {
    "$heddle" run -q --json="$work/out.json" "$@" >/dev/null || :
    field cpu_seconds
}

# measure OPTIONS... PROGRAM ARGUMENTS...: the same, best of several; sets seconds.
measure() {
    least run_once "$@"
}
