# programs.sh - sourced by the tests of this folder: reads the head comments of the programs in
# programs/, runs them, and reads the answers.
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

# Prints the names of all programs, without their suffixes.
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

# `said NAME KEY`: the value of a line "KEY: VALUE" in the program's head comment.
said() {
    sed -n "s/ *\*\/$//; s/^ \* $2: *//p" "$(source_of "$1")" | head -n 1
}

# `field FILE NAME`: a field of a JSON file that is on a line of its own.
field() {
    sed -n 's/^ *"'"$2"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$1" | head -n 1
}

# `kinds FILE`: the kinds of all findings in a JSON file, sorted, in one line.
kinds() {
    sed -n 's/^ *"kind": *"\([^"]*\)".*$/\1/p' "$1" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# `answer FILE`: the part of the result that tests compare: the verdict, and the kinds of bugs.
answer() {
    echo "$(field "$1" verdict) $(kinds "$1")"
}

# `explore JSON DIRECTORY NAME OPTIONS...`: runs a program, also with the options that its head
# comment asks for.
explore() {
    json=$1 directory=$2 name=$3
    shift 3
    # shellcheck disable=SC2046
    run_tool -q --timeout=600 --json="$json" --trace="$work/$name.trace" $(said "$name" options) "$@" \
        "$directory/$name"
}

# `expected NAME`: the answer that the program expects, "verified" or "bug KIND". Every program has
# one.
expected() {
    said "$1" expect
}

# `as_expected JSON EXPECTED`: true if the answer in a JSON file is the expected one. A wrong
# program may have more bugs than the one that it shows, so the kind must only be among those found.
as_expected() {
    case $2 in
    verified) [ "$(answer "$1")" = "verified " ] ;;
    bug\ *) [ "$(field "$1" verdict)" = bug ] && kinds "$1" | grep -qw -e "${2#bug }" ;;
    *) false ;;
    esac
}

# `is_hidden JSON`: true if a search by states found no bug and says that a weak memory order may
# hide a race.
is_hidden() {
    [ "$(field "$1" verdict)" = undecided ] && grep -q '"weak-order-races"' "$1"
}
