#!/bin/sh
# Random programs that fail in plain code: every strategy must find the same (random_failures.py
# says what is compared).
set -u
. "$SOURCE/tests/checks.sh"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$SOURCE/tests/native/random_failures.py" "$HEDDLE" "${HEDDLE_TEST_SEED:-1}" "${HEDDLE_TEST_COUNT:-40}"
