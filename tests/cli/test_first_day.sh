#!/bin/sh
# test_first_day.sh - the first day of a new user. A wrong queue is tested; the bug is found, read, shown in a page
# and in gdb, repaired and verified. From then on the failing schedule is a test. Each step is checked by the files
# that it leaves behind.
. "$SOURCE/tests/cli/cli.sh"

# A queue whose test passes nearly always.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -g -o queue queue.c

# Heddle finds the bug, with the smallest schedule for it, and keeps the schedule.
runs 1 "$HEDDLE" run --corpus=schedules ./queue
says "ERROR: heddle: assertion failed: assertion .q->count > 0. failed"
says 'take queue.c:41'
says 'Smallest schedule: 4 context switches; with fewer this does not happen'
says "Replay: .*replay queue.trace"
step=$(sed -n 's/^Critical step: \([0-9]*\),.*/\1/p' out)
[ "$step" -gt 0 ] || fail "no critical step"

# The replay gives the same finding every time.
for again in 1 2 3; do
    runs 1 "$HEDDLE" replay -q queue.trace
done

# An HTML page that can be sent to a colleague.
runs 0 "$HEDDLE" report queue.trace -o queue.html
says 'heddle_assert(q-' queue.html
says_not 'src="http' queue.html
says_not 'href="http' queue.html

# In gdb: the failing step, with the values at that moment, and the step before it. Some machines forbid debuggers.
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

# The old trace belongs to another build, and the replay says so.
runs 2 "$HEDDLE" replay queue.trace
says 'made by another build' err

# The program is verified. The schedule that failed yesterday is followed first, and passes.
runs 0 "$HEDDLE" run --corpus=schedules --json=a.json ./queue
says 'heddle: verified: all [0-9]* executions, nothing cut off'
says '^  corpus       1 schedule followed first: 1 passes$'
says '"verdict": "verified"' a.json

# If the bug comes back, the very first execution finds it.
cp "$SOURCE/programs/queue_wrong.c" queue.c
runs 0 "$HEDDLE" cc -g -o queue queue.c
runs 1 "$HEDDLE" run --corpus=schedules --json=a.json ./queue
says '"executions": 1,' a.json

exit $failed
