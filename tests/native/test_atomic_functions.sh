#!/bin/sh
# Functions whose names begin with __VERIFIER_atomic_ run as one step (SV-COMP). The programs have
# the form of that competition, are right or wrong, and are compiled by both compilers with and
# without optimisation.
set -u
. "$SOURCE/tests/programs/programs.sh"
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
cd "$work" || exit 1

cat >head.h <<'C'
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifdef __cplusplus
#define ASSUME(c) ((void)0)
#else
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#endif
static int x, m, seen;
C
cat >tail.h <<'C'
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
C

# The two sections touch the same variable, and depend on nothing else: 2 orders. The same code in an
# ordinary function is a data race.
cat >increment.c <<'C'
#include "head.h"
void __VERIFIER_atomic_increment(void) { x = x + 1; }
static void *work(void *arg) { __VERIFIER_atomic_increment(); return arg; }
#include "tail.h"
C
sed 's/__VERIFIER_atomic_increment/increment/' increment.c >bare.c
# A function that would be inlined, and a function with the same body that is not a section.
cat >inlined.c <<'C'
#include "head.h"
static inline void __VERIFIER_atomic_increment(int by) { x = x + by; }
static void *work(void *arg) { __VERIFIER_atomic_increment(1); return arg; }
#include "tail.h"
C
cat >twin.c <<'C'
#include "head.h"
static void __VERIFIER_atomic_increment(void) { x = x + 1; }
static void increment(void) { x = x + 1; }
static void *work(void *arg) { if (seen) __VERIFIER_atomic_increment(); else increment(); return arg; }
#include "tail.h"
C
# The function is in a header next to the source.
echo 'static void __VERIFIER_atomic_increment(void) { x = x + 1; }' >increment.h
cat >included.c <<'C'
#include "head.h"
#include "increment.h"
static void *work(void *arg) { __VERIFIER_atomic_increment(); return arg; }
#include "tail.h"
C
# The lock of the pthread-atomic family: a section waits by an assumption.
cat >lock.c <<'C'
#include "head.h"
void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(m == 0); m = 1; }
void __VERIFIER_atomic_release(void) { assert(m == 1); m = 0; }
static void *work(void *arg) {
    __VERIFIER_atomic_acquire();
    x++;
    __VERIFIER_atomic_release();
    return arg;
}
#include "tail.h"
C
# There is a gap between two sections: both threads may read 0, and one increment is lost.
cat >gap.c <<'C'
#include "head.h"
static int __VERIFIER_atomic_get(void) { return x; }
static void __VERIFIER_atomic_set(int value) { x = value; }
static void *work(void *arg) { int value = __VERIFIER_atomic_get(); __VERIFIER_atomic_set(value + 1); return arg; }
#include "tail.h"
C
cat >cas.c <<'C'
#include "head.h"
static void __VERIFIER_atomic_cas(int *at, int expected, int value, int *done) {
    if (*at == expected) { *at = value; *done = 1; return; }
    *done = 0;
}
static int __VERIFIER_atomic_get(int *at) { return *at; }
static void *work(void *arg) {
    int done = 0, value = __VERIFIER_atomic_get(&x);
    __VERIFIER_atomic_cas(&x, value, value + 1, &done);
    if (!done) __VERIFIER_atomic_cas(&x, 1, 2, &done);
    return arg;
}
#include "tail.h"
C
# Sections within sections, of both kinds, a recursive one, and one with an array of variable size.
cat >nested.c <<'C'
#include "head.h"
static void __VERIFIER_atomic_inner(int n) { if (n > 0) { x = x + 1; __VERIFIER_atomic_inner(n - 1); } }
static void __VERIFIER_atomic_outer(int n) {
    volatile char room[n + 16];
    int was = x;
    room[n] = 0;
    __VERIFIER_atomic_inner(1);
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    x = was + 1 + room[n];
}
static void *work(void *arg) { __VERIFIER_atomic_outer(3); return arg; }
#include "tail.h"
C
# The section ends with its function, also by longjmp. After that there is a gap, and an increment
# can be lost.
cat >jump.c <<'C'
#include "head.h"
static atomic_int y;
static void __VERIFIER_atomic_leave(jmp_buf *out) { seen++; longjmp(*out, 1); }
static void *work(void *arg) {
    jmp_buf out;
    if (!setjmp(out)) __VERIFIER_atomic_leave(&out);
    int value = atomic_load(&y);
    atomic_store(&y, value + 1);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(y == 2);
    return 0;
}
C
sed 's/longjmp(\*out, 1)/throw 1/; s/if (!setjmp(out)) \(.*\);$/try { \1; } catch (int) {}/; s/atomic_int y/std::atomic<int> y/;
    s/#include "head.h"/#include <atomic>\n#include <cassert>\n#include <csetjmp>\n#include <pthread.h>\nstatic int seen;\nusing std::atomic_load; using std::atomic_store;/' \
    jump.c >thrown.cpp
cat >finish.c <<'C'
#include "head.h"
static void __VERIFIER_atomic_finish(void) { x = x + 1; pthread_exit(0); }
static void *work(void *arg) { __VERIFIER_atomic_finish(); return arg; }
#include "tail.h"
C
# No other task can move during a section, so no task will unlock the mutex.
cat >blocks.c <<'C'
#include "head.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void __VERIFIER_atomic_add(void) { pthread_mutex_lock(&mutex); x = x + 1; pthread_mutex_unlock(&mutex); }
static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_add();
    return arg;
}
#include "tail.h"
C
# If the program defines begin and end itself, they are ordinary functions.
cat >own.c <<'C'
#include "head.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&mutex); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&mutex); }
static void *work(void *arg) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return arg; }
#include "tail.h"
C

# check PROGRAM ANSWER [EXECUTIONS]: compiles and runs the program with each compiler and level.
check() {
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        for level in O0 O2; do
            what="$1 $compiler -$level"
            checked=$((checked + 1))
            case $1 in
            *.cpp) HEDDLE_CXX=$([ $compiler = gcc ] && echo g++ || echo clang++) "$HEDDLE" c++ -$level -o t "$1" 2>out ;;
            *) HEDDLE_CC=$compiler "$HEDDLE" cc -$level -o t "$1" 2>out ;;
            esac || fail "$what: $(cat out)"
            rm -f a.json
            "$HEDDLE" run -q --json=a.json ./t >out 2>&1
            [ "$(answer a.json | sed 's/ *$//')" = "$2" ] || fail "$what: '$(answer a.json)', not '$2': $(cat out)"
            [ -z "${3-}" ] || [ "$(field a.json executions)" = "$3" ] ||
                fail "$what: $(field a.json executions) executions, not $3"
        done
    done
}
check increment.c verified 2
check bare.c 'bug data-race'
check inlined.c verified 2
check twin.c 'bug data-race'
check included.c verified 2
check lock.c verified
check gap.c 'bug assertion'
check cas.c verified
check nested.c verified 2
check jump.c 'bug assertion'
check thrown.cpp 'bug assertion'
check finish.c verified
check blocks.c 'bug sync-misuse'
check own.c verified 2
# Without the tool these are ordinary functions, so here main calls one alone: two threads would race.
cat >alone.c <<'C'
#include "head.h"
void __VERIFIER_atomic_increment(void) { x = x + 1; }
int main(void) {
    __VERIFIER_atomic_increment();
    return x != 1;
}
C
"$HEDDLE" cc -o t alone.c && ./t || fail "the program does not run without the tool"
"$HEDDLE" cc -c increment.c && "$HEDDLE" cc -o t increment.o && run_tool -q --json=a.json ./t
[ "$(field a.json executions)" = 2 ] || fail "compiled and linked apart: $(cat a.json)"
finish
