#!/bin/sh
# run-tests.sh BUILD [ctest options] - runs ctest and closes with one line: N passed, N failed.
# The counts come from ctest's own JUnit file, which stays in BUILD/test-results.xml.
set -u
build=$1
shift
results=$PWD/$build/test-results.xml
case $build in /*) results=$build/test-results.xml ;; esac
rm -f "$results"
ctest --test-dir "$build" --output-on-failure --no-tests=error --output-junit "$results" "$@"
status=$?

# The number in an attribute of the suite: `attribute tests`.
attribute() {
    number=$(tr '\n\t' '  ' <"$results" 2>/dev/null |
        sed -n 's/^.*<testsuite [^>]* '"$1"'="\([0-9]*\)".*$/\1/p')
    echo "${number:-0}"
}
total=$(attribute tests)
failed=$(attribute failures)
skipped=$(($(attribute skipped) + $(attribute disabled)))
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$((total - failed - skipped)) passed, $failed failed"
exit "$status"
