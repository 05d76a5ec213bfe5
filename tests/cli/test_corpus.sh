#!/bin/sh
# test_corpus.sh - failing schedules are kept in a corpus. The next run follows them first, and after a change of the
# program as far as they still fit.
. "$SOURCE/tests/cli/cli.sh"

# number KEY: prints a number of the corpus in a.json.
number() {
    sed -n '/"corpus": {/,/}/s/.*"'"$1"'": \([0-9]*\),*$/\1/p' a.json
}

is() {
    [ "$(number "$1")" = "$2" ] || fail "corpus.$1 is $(number "$1"), not $2"
}

# Each bug that is found is kept in a file of its own.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -o queue queue.c
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
is followed 0
is kept 1
[ "$(ls kept | grep -c '^queue-[0-9a-f]\{16\}\.trace$')" -eq 1 ] || fail "kept: $(ls kept)"
runs 1 "$HEDDLE" replay kept/*.trace

# The next run follows this schedule first, before any search. The file is the same afterwards.
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 0 pass, 1 fails$'
says '^               the search was not begun$'
says '"complete": false' a.json
says '"executions": 1,' a.json
is failing 1
[ "$(ls kept | wc -l)" -eq 1 ] || fail "kept twice: $(ls kept)"

# With --keep-going the search follows, and the bug is reported once.
runs 1 "$HEDDLE" run --keep-going --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 0 pass, 1 fails$'

# Schedules for other arguments and for other programs are not used.
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue once
is followed 0
runs 1 "$HEDDLE" run --corpus=kept --json=a.json "$programs/abba_wrong"
is followed 0
runs 1 "$HEDDLE" run --corpus=kept --json=a.json "$programs/abba_wrong"
is failing 1

# The wrong program with additional code: the schedule does not fit exactly, but still leads to the bug.
sed 's/^int main(void) {/&\n    static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;\n    pthread_mutex_lock(\&unrelated);\n    pthread_mutex_unlock(\&unrelated);/' \
    "$SOURCE/programs/queue_wrong.c" >queue.c
grep -q unrelated queue.c || fail "the program is not changed"
runs 0 "$HEDDLE" cc -o queue queue.c
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
is followed 1
is failing 1

# The repaired program: all schedules pass, and the search decides.
cp "$SOURCE/programs/queue_right.c" queue.c
runs 0 "$HEDDLE" cc -o queue queue.c
runs 0 "$HEDDLE" run --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 1 passes$'
says '"executions": 32,' a.json
is failing 0

# If almost nothing of the program is left, the report says that the schedule does not fit.
cat >queue.c <<'END'
int main(void) {
    return 0;
}
END
runs 0 "$HEDDLE" cc -o queue queue.c
runs 0 "$HEDDLE" run --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 1 passes$'
says '^               1 only in part: of their decisions, [0-9]* of [0-9]* no longer fit'
is partly 1
[ "$(number skipped)" -gt 5 ] || fail "skipped only $(number skipped)"

# A schedule that is cut off, or dropped by an assumption, does not count as passed.
cp "$SOURCE/programs/queue_right.c" queue.c
runs 0 "$HEDDLE" cc -o queue queue.c
runs 3 "$HEDDLE" run --corpus=kept --max-steps=5 --json=a.json ./queue
says '^  corpus       1 schedule followed first: 0 pass, 1 without an end$'
is unfinished 1
cat >queue.c <<'END'
#include <heddle/heddle.h>
int main(void) {
    heddle_assume(0);
}
END
runs 0 "$HEDDLE" cc -o queue queue.c
runs 3 "$HEDDLE" run --corpus=kept --json=a.json ./queue
is unfinished 1

# A program whose bug ends the process.
runs 1 "$HEDDLE" run --corpus=dead "$programs/null_pointer_wrong"
runs 1 "$HEDDLE" run --corpus=dead --json=a.json "$programs/null_pointer_wrong"
is failing 1

# A file that is not a trace costs one line of output. A corpus that is not a directory ends the run.
echo "heddle-trace 2" >kept/cut.trace
echo nonsense >kept/other.trace
echo nonsense >kept/README
runs 3 "$HEDDLE" run --corpus=kept ./queue
says "assumptions drop every execution"
says 'corpus: left out: kept/cut.trace: ' err
says 'corpus: left out: kept/other.trace: not a trace' err
[ "$(wc -l <err)" -eq 2 ] || fail "more than two lines: $(cat err)"
runs 2 "$HEDDLE" run --corpus=queue.c ./queue
says 'corpus: queue.c: Not a directory' err
runs 2 "$HEDDLE" run --corpus=no/where ./queue
says 'corpus: no/where: No such file or directory' err

exit $failed
