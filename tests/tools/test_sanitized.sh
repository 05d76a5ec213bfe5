#!/bin/sh
# test_sanitized.sh - -DHEDDLE_SANITIZE=ON builds the tool, and what is quick of it runs: some unit tests, and commands
# that start no program (the runtime's memory is where AddressSanitizer has its own). `make test-asan` runs all unit
# tests so. The build stays in BUILD/sanitized.
set -eu
build=$BUILD/sanitized
units="test_ses test_shelf test_trace_file test_tree"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' INT TERM

# Runs a command, whose output is of interest only if it fails.
quietly() {
    "$@" >"$log" 2>&1 || { cat "$log"; echo "FAILED: $*"; exit 1; }
}

quietly cmake -S "$SOURCE" -B "$build" -DHEDDLE_SANITIZE=ON
# shellcheck disable=SC2086
quietly cmake --build "$build" -j "$(nproc)" --target heddle-tool $units
for unit in $units; do
    nm "$build/tests/unit/$unit" | grep -q __asan_report || { echo "FAILED: $unit is not instrumented"; exit 1; }
    quietly "$build/tests/unit/$unit"
done
quietly "$build/heddle" help run
quietly "$build/heddle" show "$SOURCE/tests/data/queue-1.trace"
quietly "$build/heddle" report -o /dev/null "$SOURCE/tests/data/queue-1.trace"
