#!/bin/sh
# test_first_day.sh - the way of a new user, each step by what it leaves behind: a wrong queue, found, read,
# looked at in a page and in gdb, repaired, verified; and the schedule that failed is a test from then on.
. "$SOURCE/tests/cli/cli.sh"

# A queue whose test passes nearly always.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -g -o queue queue.c

# Heddle finds what is wrong, with the smallest schedule for it, and keeps that.
runs 1 "$HEDDLE" run --corpus=schedules ./queue
says "ERROR: heddle: assertion failed: assertion .q->count > 0. failed"
says 'take queue.c:41'
says 'Smallest schedule: 4 context switches; with fewer this does not happen'
says "Replay: .*replay queue.trace"
step=$(sed -n 's/^Critical step: \([0-9]*\),.*/\1/p' out)
[ "$step" -gt 0 ] || fail "no critical step"

# The same, again and again.
for again in 1 2 3; do
    runs 1 "$HEDDLE" replay -q queue.trace
done

# A page to send to somebody.
runs 0 "$HEDDLE" report queue.trace -o queue.html
says 'heddle_assert(q-' queue.html
says_not 'src="http' queue.html
says_not 'href="http' queue.html

# In gdb: at the failing step, with the values of that moment, and one step before. It may be forbidden here.
if can_debug; then
    runs 0 "$HEDDLE" replay queue.trace \
        --gdb="-batch -ex 'print queue.count' -ex bt -ex 'heddle goto $step' -ex 'heddle tasks'"
    says 'queue.c:41'
    says '^\$1 = 0'
    says '#[0-9]* .*take .*queue.c'
    says 'T3'
fi

# The repair: one word.
sed 's/if (q->count == 0)/while (q->count == 0)/; s/if (q->count == CAPACITY)/while (q->count == CAPACITY)/' \
    "$SOURCE/programs/queue_wrong.c" >queue.c
cmp -s queue.c "$SOURCE/programs/queue_wrong.c" && fail "nothing was repaired"
runs 0 "$HEDDLE" cc -g -o queue queue.c

# The old trace is of another build, and says so.
runs 2 "$HEDDLE" replay queue.trace
says 'made by another build' err

# Verified; and what failed yesterday is followed first, and passes.
runs 0 "$HEDDLE" run --corpus=schedules --json=a.json ./queue
says 'heddle: verified: all [0-9]* executions, nothing cut off'
says '^  corpus       1 schedule followed first: 1 passes$'
says '"verdict": "verified"' a.json

# Put back, the bug is found by the first execution of all.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -g -o queue queue.c
runs 1 "$HEDDLE" run --corpus=schedules --json=a.json ./queue
says '"executions": 1,' a.json

exit $failed
