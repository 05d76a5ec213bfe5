# cli.sh - sourced by tests of this folder: runs commands in a directory of its own, and looks at what they
# say. A test ends with `exit $failed`.
set -u
[ -x "$BUILD/programs/readers" ] || { echo "no programs"; exit 77; }
programs=$BUILD/programs
work=$(cd "$(mktemp -d)" && pwd -P)
. "$SOURCE/tests/cli/waiting.sh"
trap 'kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# runs CODE COMMAND...: the output goes to `out`, what is on stderr to `err`.
runs() {
    code=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status -eq "$code" ] || fail "'$*' ended with $status, not $code: $(cat out err)"
}

# A debugger may be forbidden, as in some containers.
can_debug() {
    gdb -q -batch -ex run --args true 2>&1 | grep -q 'exited normally'
}

says() {
    grep -q -e "$1" "${2:-out}" || fail "no '$1' in: $(cat "${2:-out}")"
}

says_not() {
    grep -q -e "$1" "${2:-out}" && fail "'$1' in: $(cat "${2:-out}")"
}
