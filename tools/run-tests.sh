#!/bin/sh
# run-tests.sh BUILD [ctest options] - runs ctest. At the end it prints each skipped test with the last line of its
# output, and then one line: N passed, N failed. A run without any test fails. The counts come from ctest's own JUnit
# file, which stays in BUILD/test-results.xml. ctest reports a test that could not be started as skipped; here it
# counts as failed.
set -u
build=$1
shift
results=$PWD/$build/test-results.xml
case $build in /*) results=$build/test-results.xml ;; esac
rm -f "$results"
ctest --test-dir "$build" --output-on-failure --no-tests=error --output-junit "$results" "$@"
status=$?

[ -f "$results" ] || { echo "run-tests: ctest has written no results: $results"; exit 1; }
awk '
    function text(xml) {
        gsub(/<[^>]*>/, "", xml)
        gsub(/&lt;/, "<", xml); gsub(/&gt;/, ">", xml); gsub(/&quot;/, "\"", xml); gsub(/&amp;/, "\\&", xml)
        return xml
    }
    /<testcase / {
        name = $0
        sub(/.* name="/, "", name); sub(/".*/, "", name)
        passed += / status="run"/
        total++
        asked = 0
    }
    / status="disabled"/ || /<skipped message="SKIP_/ { asked = 1; words = "" }
    asked && text($0) ~ /[^ \t]/ { words = text($0); sub(/^[ \t]+/, "", words) }
    asked && /<\/testcase>/ { skipped++; print "skipped: " text(name) (words == "" ? "" : ": " words) }
    END {
        if (skipped > 0) print skipped " skipped"
        print passed + 0 " passed, " total - passed - skipped " failed"
        exit total == 0
    }' "$results" || status=1
exit "$status"
