#!/bin/sh
# Each finding of each program comes again when its trace is replayed in a new process, and once
# more in another one. `heddle show` must render it.
set -u
. "$SOURCE/tests/programs/programs.sh"

for name in $(programs); do
    case $(said "$name" expect) in bug*) ;; *) continue ;; esac
    explore "$work/a.json" "$BUILD/programs" "$name" --strategy=persistent --keep-going
    for trace in "$work/$name"*.trace; do
        [ -f "$trace" ] || { fail "$name: no trace"; continue; }
        checked=$((checked + 1))
        for round in 1 2; do
            "$HEDDLE" replay "$trace" >"$work/replay.$round" 2>&1
            status=$?
            [ $status -eq 1 ] || fail "$name: replay $round of $trace exits with $status: $(tail -n 1 "$work/replay.$round")"
        done
        grep '^SUMMARY:' "$work/replay.1" >"$work/summary.1"
        grep '^SUMMARY:' "$work/replay.2" >"$work/summary.2"
        cmp -s "$work/summary.1" "$work/summary.2" || fail "$name: two replays differ"
        [ -s "$work/summary.1" ] || fail "$name: no summary line"
        "$HEDDLE" show "$trace" >"$work/show" 2>&1 || fail "$name: show exits with $?"
    done
    rm -f "$work"/*.trace
done
finish
