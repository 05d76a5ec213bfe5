#!/bin/sh
# An atomic section depends on what it has touched, and on nothing else: numbers of executions, data
# races and virtual time, with the three strategies that know what a section has touched.
set -u
. "$SOURCE/tests/programs/programs.sh"
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
cd "$work" || exit 1

cat >head.h <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifndef THREADS
#define THREADS 2
#endif
#define SECTION(code) do { heddle_atomic_begin(); code; heddle_atomic_end(); } while (0)
static void *work(long number);
static void *run(void *number) { return work((long)number); }
static void finish(void);
int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    finish();
    return 0;
}
C
# program NAME: makes a program of what threads do and of what holds at the end.
program() {
    { echo '#include "head.h"'; cat; } >"$1.c"
}
# run_it NAME STRATEGY [COMPILER OPTION...]
run_it() {
    source=$1.c strategy=$2
    shift 2
    rm -f a.json
    "$HEDDLE" cc -O1 "$@" -o t "$source" 2>out || fail "$source: $(cat out)"
    "$HEDDLE" run -q --strategy="$strategy" --json=a.json ./t >out 2>&1
}
# counts NAME NUMBER [COMPILER OPTION...]: verified with so many executions.
counts() {
    name=$1 number=$2
    shift 2
    for strategy in optimal source classic; do
        checked=$((checked + 1))
        run_it "$name" $strategy "$@"
        [ "$(answer a.json | sed 's/ *$//')" = verified ] || fail "$name $* $strategy: $(cat out)"
        [ "$(field a.json executions)" = "$number" ] ||
            fail "$name $* $strategy: $(field a.json executions) executions, not $number"
    done
}
# finds NAME ANSWER: the same answer with each strategy, also without a reduction.
finds() {
    for strategy in optimal source classic observers dfs; do
        checked=$((checked + 1))
        run_it "$1" $strategy
        [ "$(answer a.json | sed 's/ *$//')" = "$2" ] ||
            fail "$1 $strategy: '$(answer a.json)', not '$2': $(cat out)"
    done
}

# Each thread has a variable of its own, in one word with the others: nothing depends on anything.
program apart <<'C'
static short own[THREADS];
static void *work(long number) { for (int i = 0; i < N; i++) SECTION(own[number]++); return NULL; }
static void finish(void) { for (int i = 0; i < THREADS; i++) heddle_assert(own[i] == N); }
C
for n in 1 2 3 5; do
    counts apart 1 -DN=$n
done
counts apart 1 -DN=2 -DTHREADS=4

# All sections write one variable, so every order of them is a trace. With n sections in each of t
# threads there are (tn)! / n!^t orders: 2, 6, 20 and 252 for two threads, 6! / 2!^3 = 90 for three.
program together <<'C'
static long all;
static void *work(long number) { (void)number; for (int i = 0; i < N; i++) SECTION(all++); return NULL; }
static void finish(void) { heddle_assert(all == N * THREADS); }
C
counts together 2 -DN=1
counts together 6 -DN=2
counts together 20 -DN=3
counts together 252 -DN=5
counts together 90 -DN=2 -DTHREADS=3

# One thread writes, the others only read: each of the three comes before or after the write, 2^3.
program readers <<'C'
long all, seen[4];
static void *work(long number) { if (number == 0) SECTION(all = 1); else SECTION(seen[number] = all); return NULL; }
static void finish(void) { heddle_assert(all == 1); }
C
counts readers 8 -DTHREADS=4

# Two threads share one variable, and two others share another: 2 * 2 orders.
program pairs <<'C'
static long shared[2];
static void *work(long number) { SECTION(shared[number / 2]++); return NULL; }
static void finish(void) { heddle_assert(shared[0] == 2 && shared[1] == 2); }
C
counts pairs 4 -DTHREADS=4

# A section and an operation outside: 2 orders if they touch the same, else 1.
program outside <<'C'
static atomic_long value, other;
static void *work(long number) {
    if (number == 0) SECTION(atomic_store(&value, 1));
    else atomic_load(&PLACE);
    return NULL;
}
static void finish(void) {}
C
counts outside 2 -DPLACE=value
counts outside 1 -DPLACE=other

# What a section touches depends on what it reads. It counts as touching all that it has touched in any
# execution: each of the two writes comes before or after it, 2 * 2. With WANTED 0, the first execution
# shows it all. With WANTED 1, the second execution shows that the section touches `value` too, and the
# search begins anew: 2 + 4.
program branching <<'C'
long go, value, seen;
static void *work(long number) {
    if (number == 0) SECTION(if (go == WANTED) seen = value);
    else if (number == 1) SECTION(go = 1);
    else SECTION(value = 1);
    return NULL;
}
static void finish(void) { heddle_assert(go == 1 && value == 1); }
C
counts branching 4 -DTHREADS=3 -DWANTED=0
counts branching 6 -DTHREADS=3 -DWANTED=1

# A function whose accesses are not seen writes the text: both orders are tried, and the assertion
# fails in one of them. All sections of such a program count as touching everything.
program hidden <<'C'
static char text[20] = "0";
static long seen;
static void *work(long number) {
    if (number == 0) SECTION(snprintf(text, sizeof text, "%d", 7));
    else SECTION(seen = strtol(text, NULL, 10));
    return NULL;
}
static void finish(void) { heddle_assert(seen != 7); }
C
finds hidden 'bug assertion'

# Sections that touch different variables do not order other accesses.
program unordered <<'C'
static long plain, a, b;
static void *work(long number) {
    if (number == 0) { plain = 1; SECTION(a = 1); }
    else { SECTION(b = 1); heddle_assert(plain < 2); }
    return NULL;
}
static void finish(void) {}
C
finds unordered 'bug data-race'

# A section that sees what another one has written comes after it, also for a third thread that sees
# only an atomic that was stored within the section, before the read.
program ordered <<'C'
static long plain, flag, seen;
static atomic_long passed;
static void *work(long number) {
    if (number == 0) { plain = 1; SECTION(flag = 1); }
    else if (number == 1) SECTION(atomic_store(&passed, flag); seen = flag);
    else if (atomic_load(&passed)) heddle_assert(plain == 1);
    return NULL;
}
static void finish(void) { heddle_assert(plain == 1); }
C
sed 's/THREADS 2/THREADS 3/' head.h >head3.h
sed 's/head.h/head3.h/' ordered.c >ordered3.c
finds ordered3 verified

# The time goes with what a section writes.
program stamp <<'C'
static long stamp;
static long now(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); return t.tv_sec; }
static void *work(long number) {
    long seen = 0, time;
    if (number == 0) { sleep(2); time = now(); SECTION(stamp = time); }
    else { SECTION(seen = stamp); heddle_assert(seen == 0 || now() >= seen); }
    return NULL;
}
static void finish(void) {}
C
counts stamp 2
finish
