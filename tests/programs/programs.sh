# programs.sh - sourced by the tests of this folder: what a program of programs/ says of itself, and
# how to run it and read the answer.
. "$SOURCE/tests/checks.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
checked=0

finish() {
    echo "$checked checked, $failures failed"
    [ "$checked" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}

# All programs: names without suffix.
programs() {
    for source in "$SOURCE"/programs/*.c "$SOURCE"/programs/*.cpp; do
        name=${source##*/}
        echo "${name%.*}"
    done
}

source_of() {
    for suffix in c cpp; do
        [ -f "$SOURCE/programs/$1.$suffix" ] && echo "$SOURCE/programs/$1.$suffix"
    done
}

# A line "KEY: VALUE" of a program's header comment: `said NAME KEY`.
said() {
    sed -n "s/ *\*\/$//; s/^ \* $2: *//p" "$(source_of "$1")" | head -n 1
}

# A field of a JSON file that stands on a line of its own: `field FILE NAME`.
field() {
    sed -n 's/^ *"'"$2"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$1" | head -n 1
}

# The kinds of all findings in a JSON file, sorted, in one line.
kinds() {
    sed -n 's/^ *"kind": *"\([^"]*\)".*$/\1/p' "$1" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# What a person compares: verdict, and kinds of bugs.
answer() {
    echo "$(field "$1" verdict) $(kinds "$1")"
}

# `explore JSON DIRECTORY NAME OPTIONS...`: runs it with the options that it asks for itself.
explore() {
    json=$1 directory=$2 name=$3
    shift 3
    # shellcheck disable=SC2046
    run_tool -q --timeout=600 --json="$json" --trace="$work/$name.trace" $(said "$name" options) "$@" \
        "$directory/$name"
}

# What `expect:` asks for: "verified", or "bug KIND". Every program asks for something.
expected() {
    said "$1" expect
}

# True if the answer in a JSON file is the expected one. A wrong program may be wrong in more ways
# than the one that it shows: the kind must be among those found.
as_expected() {
    case $2 in
    verified) [ "$(answer "$1")" = "verified " ] ;;
    bug\ *) [ "$(field "$1" verdict)" = bug ] && kinds "$1" | grep -qw -e "${2#bug }" ;;
    *) false ;;
    esac
}

# is_hidden JSON: a search by states says that a race may hide behind what orders nothing, and found no other bug.
is_hidden() {
    [ "$(field "$1" verdict)" = undecided ] && grep -q '"weak-order-races"' "$1"
}
