#!/bin/sh
# test_run_tests.sh - tools/run-tests.sh: its last line is true. A test that could not be started has failed, a
# skipped test is named, and a run without any test is a failure.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
failed=0

# ends CODE LINES OPTIONS...: run-tests.sh must end with that exit code, and these must be its last lines.
ends() {
    code=$1 lines=$2
    shift 2
    sh "$SOURCE/tools/run-tests.sh" build "$@" >out 2>&1
    status=$?
    [ "$status" -eq "$code" ] && [ "$(tail -n "$(echo "$lines" | wc -l)" out)" = "$lines" ] && return
    echo "FAILED: run-tests.sh $*: exit code $status, not $code, or not '$lines': $(cat out)"
    failed=1
}

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(tests NONE)
enable_testing()
add_test(NAME good COMMAND true)
add_test(NAME bad COMMAND false)
add_test(NAME missing COMMAND /nowhere/at/all)
add_test(NAME killed COMMAND sh -c "kill -KILL $$")
add_test(NAME "left & out" COMMAND sh -c "echo first; echo 'no <browser> here'; exit 77")
set_tests_properties("left & out" PROPERTIES SKIP_RETURN_CODE 77)
END
cmake -S . -B build >out 2>&1 || { cat out; exit 1; }
ends 0 "1 passed, 0 failed" -R good
ends 0 "skipped: left & out: no <browser> here
1 skipped
1 passed, 0 failed" -R 'good|left'
ends 8 "0 passed, 1 failed" -R missing
ends 8 "skipped: left & out: no <browser> here
1 skipped
1 passed, 3 failed"
ends 1 "0 passed, 0 failed" -R nothing-of-that-name
exit $failed
