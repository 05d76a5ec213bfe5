#!/bin/sh
# `heddle min`, and how a run minimises its findings.
. "$SOURCE/tests/cli/cli.sh"

traces() {
    grep -c "$2" "$1"
}

# --- a run minimises by itself, and says so ---
runs 1 "$HEDDLE" run --json=a.json "$programs/thread_pool_wrong"
says '^Smallest schedule: 4 context switches (5 when it was found); with fewer this$'
says '^The switch that matters: T1 (worker) ran between unlock pool.lock$'
says '^Critical step: 15, lock pool.lock'
says '^What passes: a schedule in which step 15 is lock pool.lock$'
says '"switches": 4' a.json
says '"smallest": "proven"' a.json
says '"critical": 15' a.json
says '"passing": true' a.json
runs 1 "$HEDDLE" replay -q thread_pool_wrong.trace
runs 0 "$HEDDLE" replay --passing thread_pool_wrong.trace
says 'nothing is wrong in this execution'
runs 0 "$HEDDLE" show thread_pool_wrong.trace
says '^Passing schedule, '

runs 1 "$HEDDLE" run --minimise=off --json=a.json "$programs/thread_pool_wrong"
says_not 'Smallest schedule'
says '"switches": 5' a.json
says '"smallest": null' a.json
says '"passing": false' a.json
runs 2 "$HEDDLE" run --minimise=maybe "$programs/thread_pool_wrong"
runs 2 "$HEDDLE" replay --passing thread_pool_wrong.trace
says 'has no passing schedule' err

# --- the command replaces the file, or writes another one; a second call changes nothing ---
cp thread_pool_wrong.trace found.trace
runs 0 "$HEDDLE" min -o small.trace found.trace
says '^Smallest schedule: 4 context switches'
says '^SUMMARY: heddle: deadlock'
cmp -s found.trace thread_pool_wrong.trace || fail "-o: the trace has changed"
runs 0 "$HEDDLE" min --quiet found.trace
[ -s out ] && fail "--quiet: $(cat out)"
cmp -s found.trace small.trace || fail "the same budget gave another trace"
runs 0 "$HEDDLE" min -q found.trace
[ "$(traces found.trace '^evidence	proven	4	5	')" = 1 ] || fail "again: $(grep '^evidence' found.trace)"
# With hardly any budget, the facts that were known before are kept.
runs 0 "$HEDDLE" min --max-executions=1 found.trace
says '(5 when it was found); with fewer this$'
runs 0 "$HEDDLE" min --max-executions=1 thread_pool_wrong.trace
says '^Smallest schedule: 5 context switches; none with fewer was found in'

# --- every execution fails; the failing step is not an event; a choice instead of a switch ---
runs 1 "$HEDDLE" run "$programs/rwlock_wrong"
says '^Critical step: none; the program fails whatever the schedule.$'
runs 1 "$HEDDLE" run "$programs/barrier_destroy_wrong"
says '^What passes: a schedule which has, in place of the step that fails, exit(0)$'
runs 1 "$HEDDLE" run "$programs/choose_wrong"
says '^What passes: a schedule in which step 4 is choose(3) = 0'

# --- divergences are not minimised ---
runs 1 "$HEDDLE" run --step-timeout=200ms "$programs/divergence_wrong"
says_not 'Smallest schedule'
runs 0 "$HEDDLE" min -o left.trace divergence_wrong.trace
says 'left as it is' err
cmp -s left.trace divergence_wrong.trace || fail "a divergence was changed"

# --- each execution in its own process; remembered states; several findings ---
rm -f lost_update_wrong.trace
runs 1 "$HEDDLE" run --isolate=fork "$programs/lost_update_wrong"
says '^Smallest schedule: 2 context switches; with fewer'
says 'isolate	fork' lost_update_wrong.trace
runs 1 "$HEDDLE" replay -q lost_update_wrong.trace
rm lost_update_wrong.trace
runs 1 "$HEDDLE" run --strategy=ses "$programs/lost_update_wrong"
says '^Smallest schedule: 2 context switches'
runs 1 "$HEDDLE" replay -q lost_update_wrong.trace
runs 1 "$HEDDLE" run --keep-going --strategy=dfs "$programs/broadcast_wrong"
[ -s broadcast_wrong.trace ] && [ "$(traces out '^Smallest schedule')" = "$(ls broadcast_wrong*.trace | wc -l)" ] ||
    fail "--keep-going: $(grep -c '^Smallest' out) minimised of $(ls broadcast_wrong*.trace)"
for trace in broadcast_wrong*.trace; do
    runs 1 "$HEDDLE" replay -q "$trace"
done

# --- a program that kills its process each time it fails ---
cat >dies.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;

static void *work(void *nothing) {
    x++;
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (x == 1)
        __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(3));
    pthread_join(thread, NULL);
}
END
"$HEDDLE" cc -o dies dies.c || fail "dies.c does not compile"
runs 1 "$HEDDLE" run ./dies
says '^Smallest schedule: 2 context switches; with fewer'
says '^What passes: a schedule in which step 2 is load x = 0'
runs 1 "$HEDDLE" replay -q dies.trace

# --- steps are counted as the report shows them, notes among them ---
cat >notes.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first;

static void *claim(void *number) {
    int nobody = 0;
    heddle_note("about to claim");
    atomic_compare_exchange_strong(&first, &nobody, (int)(long)number);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, claim, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(first == 1);
}
END
"$HEDDLE" cc -o notes notes.c || fail "notes.c does not compile"
runs 1 "$HEDDLE" run ./notes
says '^    5 .*10: compare-exchange' # this is after two creations and two notes
says '^Critical step: 5, compare-exchange first: was 0, now 2'

# --- the fewest steps: the wake-up can be lost before any job is done ---
cat >sleeper.c <<'END'
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs, done, stops;

static bool take(int *from) {
    pthread_mutex_lock(&lock);
    bool taken = *from > 0;
    *from -= taken;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void add(int *to) {
    pthread_mutex_lock(&lock);
    ++*to;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *nothing) {
    for (;;) {
        if (take(&jobs)) {
            add(&done);
            continue;
        }
        if (take(&stops))
            return nothing;
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&work, &lock); /* without another look */
        pthread_mutex_unlock(&lock);
    }
}

static void submit(int *to) {
    add(to);
    pthread_cond_signal(&work);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    submit(&jobs);
    submit(&jobs);
    submit(&stops);
    pthread_join(thread, NULL);
}
END
"$HEDDLE" cc -o sleeper sleeper.c || fail "sleeper.c does not compile"
runs 1 "$HEDDLE" run ./sleeper
says '^Schedule, 16 steps:$'

# --- a program that needs a long time to reach its main is minimised as well ---
cat sleeper.c - >late.c <<'END'
#include <time.h>

__attribute__((constructor)) static void come_late(void) {
    nanosleep(&(struct timespec){.tv_sec = 3, .tv_nsec = 500000000}, NULL); /* more than a run gives for all of it */
}
END
"$HEDDLE" cc -o late late.c || fail "late.c does not compile"
runs 1 "$HEDDLE" run ./late
says '^Schedule, 16 steps:$'

# --- a choice within a step is reported as a choice ---
cat >within.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *pick(void *unused) {
    heddle_atomic_begin();
    atomic_store(&x, 1);
    int chosen = heddle_choose(2);
    heddle_atomic_end();
    heddle_assert(chosen == 0 || atomic_load(&x) == 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, pick, NULL);
    pthread_join(thread, NULL);
}
END
"$HEDDLE" cc -o within within.c || fail "within.c does not compile"
runs 1 "$HEDDLE" run ./within
tr -s '\n ' ' ' <out >flat
says 'Critical step: 2, atomic section (within.c:8) of T1 (pick), by what is chosen within it' flat
says 'What passes: a schedule in which 0 in place of 1 is chosen within step 2' flat

# --- an execution that was cut off proves nothing, even if it shows a finding ---
cat >cut.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static int plain;
static atomic_int x, z;

static void *first(void *unused) {
    plain++;
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused) {
    plain++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    if (atomic_load(&x) == 0) /* the long way, with few switches */
        for (int i = 0; i < 60; i++)
            atomic_fetch_add(&z, 1);
    heddle_assert(!"reached");
}
END
"$HEDDLE" cc -o cut cut.c || fail "cut.c does not compile"
runs 1 "$HEDDLE" run --keep-going --max-steps=40 --json=a.json ./cut
says '"kind": "assertion"' a.json
sed -n '/reached/,/^SUMMARY\|^==/p' out >reached
says_not 'with fewer this does not happen' reached
says 'none with fewer was found' reached

# --- wrong arguments ---
runs 2 "$HEDDLE" min
says 'one trace is needed' err
runs 2 "$HEDDLE" min a.trace b.trace
runs 2 "$HEDDLE" min no.trace
says 'no.trace' err
runs 2 "$HEDDLE" min --timeout=never found.trace
runs 2 "$HEDDLE" min a.json
head -n 20 found.trace >cut.trace
runs 2 "$HEDDLE" min cut.trace
cp found.trace same
runs 2 "$HEDDLE" min -o no/such/directory.trace found.trace
cmp -s found.trace same || fail "a failure changed the trace"
runs 0 "$HEDDLE" cc -o dies -DOTHER=1 -g0 dies.c
cp dies.trace same
runs 2 "$HEDDLE" min dies.trace
says 'another build' err
cmp -s dies.trace same || fail "another build changed the trace"

# --- with --keep-going an execution goes on after a data race, and so does the smallest one ---
cat >behind.c <<'END'
#include <pthread.h>
static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *increment(void *nothing) {
    x++;
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, increment, NULL);
    x++;
    pthread_join(thread, NULL);
    for (int i = 0; i < 60; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
END
"$HEDDLE" cc -o behind behind.c || fail "behind.c does not compile"
runs 1 "$HEDDLE" run --keep-going ./behind
says '^Smallest schedule: no context switch'
runs 0 "$HEDDLE" min -q behind.trace
runs 1 "$HEDDLE" replay -q behind.trace
runs 1 "$HEDDLE" run --keep-going --minimise=off --strategy=random-deepening ./behind
says '^unfinished' behind.trace
runs 0 "$HEDDLE" min -q behind.trace
runs 1 "$HEDDLE" replay -q behind.trace

# --- Ctrl-C ends the command, and the result so far is kept ---
cat >slow.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *nothing) {
    for (int i = 0; i < 12; i++)
        x++;
    return nothing;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    int was = x; /* too many orders of the rest to try them all */
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(was != 17);
}
END
"$HEDDLE" cc -o slow slow.c || fail "slow.c does not compile"
"$HEDDLE" run -q --minimise=off --strategy=random --max-executions=100000 ./slow >out 2>&1
[ -f slow.trace ] || fail "slow: $(cat out)"
start "$HEDDLE" min -q --timeout=1h --max-executions=1000000000 slow.trace
searching
kill -INT "$background" || fail "it did not wait for Ctrl-C"
end_started
[ $status -eq 0 ] || fail "interrupted: $status: $(cat out err)"
says '^evidence	' slow.trace
runs 1 "$HEDDLE" replay -q slow.trace
exit $failed
