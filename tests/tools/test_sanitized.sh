#!/bin/sh
# test_sanitized.sh - -DHEDDLE_SANITIZE=ON builds the tool, and its quick parts run: some unit tests, and commands
# that start no program (AddressSanitizer uses the addresses of the runtime's memory). `make test-asan` runs all unit
# tests in this way. The build stays in BUILD/sanitized.
set -eu
build=$BUILD/sanitized
units="test_ses test_shelf test_trace_file test_tree"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' INT TERM

# Runs a command, and prints its output only if it fails.
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
