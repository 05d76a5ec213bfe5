#!/bin/sh
# test_corpus.sh - failing schedules are kept, followed first in the next run, and as far as they fit after
# changes of the program.
. "$SOURCE/tests/cli/cli.sh"

# number KEY: of the corpus in a.json.
number() {
    sed -n '/"corpus": {/,/}/s/.*"'"$1"'": \([0-9]*\),*$/\1/p' a.json
}

is() {
    [ "$(number "$1")" = "$2" ] || fail "corpus.$1 is $(number "$1"), not $2"
}

# What is found is kept, a file a bug.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -o queue queue.c
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
is followed 0
is kept 1
[ "$(ls kept | grep -c '^queue-[0-9a-f]\{16\}\.trace$')" -eq 1 ] || fail "kept: $(ls kept)"
runs 1 "$HEDDLE" replay kept/*.trace

# It comes first in the next run, before any search, and is the same file afterwards.
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 0 pass, 1 fails$'
says '^               the search was not begun$'
says '"complete": false' a.json
says '"executions": 1,' a.json
is failing 1
[ "$(ls kept | wc -l)" -eq 1 ] || fail "kept twice: $(ls kept)"

# With --keep-going the search follows, and the bug is one.
runs 1 "$HEDDLE" run --keep-going --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 0 pass, 1 fails$'

# Schedules of other arguments and of other programs are left alone.
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue once
is followed 0
runs 1 "$HEDDLE" run --corpus=kept --json=a.json "$programs/abba_wrong"
is followed 0
runs 1 "$HEDDLE" run --corpus=kept --json=a.json "$programs/abba_wrong"
is failing 1

# The wrong program with other code in it: the schedule does not fit as it is, and still leads to the bug.
sed 's/^int main(void) {/&\n    static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;\n    pthread_mutex_lock(\&unrelated);\n    pthread_mutex_unlock(\&unrelated);/' \
    "$SOURCE/programs/queue_wrong.c" >queue.c
grep -q unrelated queue.c || fail "the program is not changed"
runs 0 "$HEDDLE" cc -o queue queue.c
runs 1 "$HEDDLE" run --corpus=kept --json=a.json ./queue
is followed 1
is failing 1

# The repaired program: all pass, and the search says the rest.
cp "$SOURCE/programs/queue_right.c" queue.c
runs 0 "$HEDDLE" cc -o queue queue.c
runs 0 "$HEDDLE" run --corpus=kept --json=a.json ./queue
says '^  corpus       1 schedule followed first: 1 passes$'
says '"executions": 32,' a.json
is failing 0

# A program of which next to nothing is left: that is said.
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

# One that is cut off, or dropped by an assumption, has not passed.
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

# A program that dies of its bug.
runs 1 "$HEDDLE" run --corpus=dead "$programs/null_pointer_wrong"
runs 1 "$HEDDLE" run --corpus=dead --json=a.json "$programs/null_pointer_wrong"
is failing 1

# What is no trace costs a line, what is no directory the run.
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
