#!/bin/sh
# test_run.sh - run, replay and show as a user sees them: verdicts, exit codes, files, and that the printed command
# repeats the finding.
. "$SOURCE/tests/cli/cli.sh"

# A finding: the form of the report, the trace, and the command that repeats it.
runs 1 "$HEDDLE" run --json=a.json "$programs/abba_wrong"
says '^==[0-9]*==ERROR: heddle: deadlock'
says '^    #0 [a-z_]* .*abba_wrong.c:[0-9]*$'
says 'waits for mutex `[a-z_]*` held by T[0-9]'
says '^ step  T0 (main)'
[ ! -s err ] || fail "stderr is not empty: $(cat err)"
[ -s abba_wrong.trace ] || fail "no abba_wrong.trace"
tail -n 1 out | grep -q '^SUMMARY: heddle: deadlock abba_wrong.c:[0-9]* in ' || fail "SUMMARY is not last"
says '"verdict": "bug"' a.json
says '"kind": "deadlock"' a.json
says '"trace": "abba_wrong.trace"' a.json
summary=$(tail -n 1 out)
command=$(sed -n 's/^Replay: //p' out)
runs 1 sh -c "$command"
[ "$(tail -n 1 out)" = "$summary" ] || fail "the replay says something else: $(tail -n 1 out)"

# `heddle show` needs only the trace.
cp abba_wrong.trace elsewhere.trace
runs 0 "$HEDDLE" show elsewhere.trace
says '^program    .*abba_wrong'
says '^ step  T0 (main)'
says '| *pthread_mutex_lock'
[ "$(tail -n 1 out)" = "$summary" ] || fail "show says something else"
awk 'length($0) > 80 && /^ *[0-9-]+  /' out | grep . && fail "a row of the schedule is wider than 80"

# A trace of another build.
cp "$programs/abba_wrong" mine
runs 1 "$HEDDLE" run ./mine
runs 1 "$HEDDLE" replay mine.trace
cp "$programs/abba_right" mine
runs 2 "$HEDDLE" replay mine.trace
says 'heddle: mine.trace: made by another build of ' err
rm mine
runs 2 "$HEDDLE" replay mine.trace
says "heddle: $work/mine: No such file or directory" err

# Names of traces.
mkdir traces
runs 1 "$HEDDLE" run -q --output=traces --trace=x.trace "$programs/abba_wrong"
[ -s traces/x.trace ] || fail "no traces/x.trace"
runs 1 "$HEDDLE" run -q --trace=/dev/full "$programs/abba_wrong" # the trace cannot be written, but the bug is reported
says 'cannot write /dev/full' err
tail -n 1 out | grep -q '^SUMMARY: heddle: deadlock' || fail "the finding is lost with its trace"

# Nothing was found, and the output says within which bounds.
runs 0 "$HEDDLE" run --json=a.json "$programs/abba_right"
says '^heddle: verified: all [0-9,]* executions*, nothing cut off'
says '"verdict": "verified"' a.json
says '"complete": true' a.json
runs 0 "$HEDDLE" run -q "$programs/abba_right"
[ ! -s out ] || fail "-q is not quiet: $(cat out)"
runs 0 "$HEDDLE" "$programs/abba_right"
runs 0 "$HEDDLE" run --strategy=random --seed=7 --max-executions=100 --json=a.json "$programs/readers" 4
says 'no bug within the bound: 100 random executions, seed 7'
says '"complete": true' a.json
runs 0 env HEDDLE_OPTIONS=strategy=random:max-executions=50 "$HEDDLE" run "$programs/readers" 4
says '50 random executions, seed 1'
runs 0 "$HEDDLE" run --strategy=dfs --preemptions=1 "$programs/readers" 2
says 'with at most 1 preemption'
runs 0 "$HEDDLE" run --preemptions=1 "$programs/lastzero" 3
says 'with at most 1 preemption'
says 'strategy  *source'
runs 0 "$HEDDLE" run --delays=2 "$programs/lastzero" 3
says 'with at most 2 delays'
# An execution that is cut off hides other orders from a reduction, so no bound is completed. The unreduced search
# completes it.
runs 3 "$HEDDLE" run --strategy=optimal --max-steps=8 "$programs/readers" 3
says '^heddle: no bug so far: [0-9]* executions; .* longer than 8 steps and were cut off (--max-steps), which hides'
runs 0 "$HEDDLE" run --strategy=dfs --max-steps=12 "$programs/lastzero" 2
says '^heddle: no bug within the bound: all [0-9,]* executions; [0-9,]* executions are longer than 12 steps'
runs 3 "$HEDDLE" run --strategy=dfs --max-steps=2 "$programs/readers" 3
says 'no execution came to its end'
runs 3 "$HEDDLE" run --max-executions=3 "$programs/readers" 4
says 'no bug so far: --max-executions'
runs 3 "$HEDDLE" run --strategy=dfs --timeout=300ms --json=a.json "$programs/readers" 12
says 'no bug so far: --timeout'
says '"verdict": "budget-ended"' a.json

# --deepen: the philosophers' deadlock needs one preemption, after a first fork. If the left neighbour moves next, and
# so on round the table, each one is blocked by the one before.
runs 1 "$HEDDLE" run --deepen --json=a.json "$programs/philosophers" 3
says 'bug: 1 finding within 1 preemption'
says 'bound  *1 preemption; raised from 0, 0 completed'
says '"limit": 1,' a.json
says '"completed": 0' a.json
# No bound hides anything any more: verified.
runs 0 "$HEDDLE" run --deepen=delays --json=a.json "$programs/readers" 2
says 'verified: all [0-9,]* executions, nothing cut off; all that matters lies within [0-9]* delays'
says '"verdict": "verified"' a.json
# The requested bound is completed.
runs 0 "$HEDDLE" run --deepen --preemptions=1 --json=a.json "$programs/lastzero" 3
says 'no bug within the bound: all [0-9,]* executions with at most 1 preemption'
says 'bound  *1 preemption, completed; raised from 0'
says '"completed": 1' a.json
# The budget ends first.
runs 3 "$HEDDLE" run --deepen=delays --max-executions=20 --json=a.json "$programs/lastzero" 5
says 'no bug within 1 delay (bound completed); the search within 2 was ended by --max-executions after'
says '"completed": 1' a.json
runs 3 "$HEDDLE" run --deepen --timeout=300ms "$programs/lastzero" 12
says 'no bug so far: --timeout'
says 'bound  *0 preemptions; none completed'
runs 0 "$HEDDLE" run --deepen=divergences "$programs/readers" 3
says 'verified: all 8 executions, nothing cut off; all that matters lies within 3 divergences'

# After Ctrl-C there is a summary and the JSON file.
start "$HEDDLE" run --strategy=dfs --json=a.json "$programs/readers" 12
searching
kill -INT "$background"
end_started
[ $status -eq 3 ] || fail "interrupted, but not 3: $status"
says 'no bug so far: an interrupt ended the search after [1-9]'
says '"exit_code": 3' a.json

# A program that was not compiled by `heddle cc`.
cat >plain.c <<'EOF'
#include <pthread.h>
static void *nothing(void *x) { return x; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    return pthread_join(thread, 0);
}
EOF
gcc -o plain plain.c -lpthread
runs 0 "$HEDDLE" run --json=a.json ./plain
says 'library calls only'
says '"instrumented": false' a.json

# A program that ends before main.
cat >early.c <<'EOF'
#include <unistd.h>
__attribute__((constructor)) static void early(void) { _exit(7); }
int main(void) { return 0; }
EOF
gcc -o early early.c
runs 5 "$HEDDLE" run ./early
says "heddle: $work/early ended before main, with exit status 7" err

# A schedule shows what was done with a value. For a futex it shows which task was woken, because its word is only
# compared.
cat >words.c <<'EOF'
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x, word = 1;
static void *work(void *unused) {
    atomic_fetch_add(&x, 5);
    atomic_fetch_sub(&x, 1);
    atomic_fetch_or(&x, 3);
    atomic_fetch_and(&x, 6);
    atomic_fetch_xor(&x, 2);
    atomic_exchange(&x, 9);
    syscall(SYS_futex, &word, FUTEX_WAIT, 2, 0, 0, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE, 7, 0, 0, 0);
    assert(!"the end");
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return pthread_join(thread, 0);
}
EOF
runs 0 "$HEDDLE" cc -o words words.c
runs 1 "$HEDDLE" run ./words
for line in 'x += 5, was 0' 'x -= 1, was 5' 'x |= 3, was 4' 'x &= 6, was 7' 'x ^= 2, was 6' 'x := 9, was 4'; do
    says ": read-modify-write $line\$"
done
says 'futex wait word = 1, not 2: failed$'
says 'futex wake word, wakes nobody$'
exit $failed
