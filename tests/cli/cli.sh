# cli.sh - sourced by the tests of this folder: runs commands in a directory of its own and checks their output. A
# test ends with `exit $failed`.
set -u
. "$SOURCE/tests/checks.sh"
[ -x "$BUILD/programs/readers" ] || { echo "FAILED: there are no programs in $BUILD"; exit 1; }
programs=$BUILD/programs
work=$(cd "$(mktemp -d)" && pwd -P)
. "$SOURCE/tests/cli/waiting.sh"
trap 'kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX

# runs CODE COMMAND...: runs a command, which must end with that exit code. Its output goes to `out`, its errors to
# `err`.
runs() {
    code=$1
    shift
    forget_results "$@"
    "$@" >out 2>err
    status=$?
    [ $status -eq "$code" ] || fail "'$*' ended with $status, not $code: $(cat out err)"
    check_results $status "$@"
}

# True if a debugger can be used. Some containers forbid it.
can_debug() {
    gdb -q -batch -ex run --args true 2>&1 | grep -q 'exited normally'
}

says() {
    grep -q -e "$1" "${2:-out}" || fail "no '$1' in: $(cat "${2:-out}")"
}

says_not() {
    [ -f "${2:-out}" ] || fail "there is no ${2:-out}"
    ! grep -q -e "$1" "${2:-out}" || fail "'$1' in: $(cat "${2:-out}")"
}
