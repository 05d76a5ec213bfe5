#!/bin/sh
# Programs that misbehave in common ways, and runs that are ended in the middle: the exit code is right, one clear
# line says what cannot be controlled, the tool never hangs, and no finding is lost.
set -u
. "$SOURCE/tests/checks.sh"
work=$(cd "$(mktemp -d)" && pwd -P)
. "$SOURCE/tests/cli/waiting.sh"
trap 'kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset HEDDLE_OPTIONS
checks=0

# program NAME: compiles the source on standard input.
program() {
    cat >"$1.c"
    "$HEDDLE" cc -O0 -o "$1" "$1.c" || fail "$1 does not compile"
}

# expect CODE TEXT OPTIONS... ./PROGRAM: a run must end with that exit code, and its output must contain TEXT.
expect() {
    code=$1 text=$2
    shift 2
    checks=$((checks + 1))
    rm -f run.json
    timeout $patience "$HEDDLE" run --json=run.json "$@" >out 2>err
    status=$?
    [ "$status" -eq "$code" ] || fail "$*: exit code $status, not $code: $(cat out err)"
    cat out err | grep -qF -- "$text" || fail "$*: nothing says '$text': $(cat out err)"
    check_results $status --json=run.json
}

# --- programs that harm themselves ---

program alone <<'C'
int main(void) { return 0; }
C
expect 0 "verified" ./alone

program early <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void leave(void) { exit(0); }
int main(void) { return 0; }
C
expect 5 "ended before main" ./early

program forks <<'C'
#include <unistd.h>
int main(void) {
    return fork() < 0;
}
C
expect 5 "fork" ./forks
grep -q 'forks.c:3' err || fail "the line of the fork is not named"

program many <<'C'
#include <pthread.h>
#include <stddef.h>
static void *nothing(void *unused) { return unused; }
int main(void) {
    for (int i = 0; i < 10000; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_detach(thread);
    }
    return 0;
}
C
expect 5 "pthread_create" --strategy=random --max-executions=1 ./many

program big <<'C'
#include <pthread.h>
#include <stddef.h>
static char big[1 << 30];
static void *touch(void *at) { ((char *)at)[0]++; return NULL; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, touch, big + (1 << 29));
    touch(big + (1 << 20));
    pthread_join(thread, NULL);
    return big[1 << 29] + big[1 << 20] != 2;
}
C
expect 0 "verified" --strategy=dfs ./big

program recursion <<'C'
static int down(int n) { volatile char frame[100]; frame[0] = (char)n; return down(n + 1) + frame[0]; }
int main(void) { return down(0); }
C
expect 1 "stack overflow" ./recursion

program memory <<'C'
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (;;) {
        char *block = malloc(1 << 20);
        memset(block, 1, 1 << 20);
    }
}
C
expect 1 "crash" --memory=100M ./memory
grep -q '"call": "malloc"' run.json || fail "the ledger does not name malloc"

# This part is not instrumented, so Heddle cannot notice the write before it happens.
cat >wild_part.c <<'C'
#include <string.h>
void scribble(void) { memset((void *)0x100000000000, 0x5a, 1 << 20); }
C
gcc -c wild_part.c
cat >wild.c <<'C'
#include <pthread.h>
#include <stddef.h>
void scribble(void);
static void *run(void *unused) { scribble(); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    return pthread_join(thread, NULL);
}
C
"$HEDDLE" cc -o wild wild.c wild_part.o || fail "wild does not compile"
checks=$((checks + 1))
timeout $patience "$HEDDLE" run ./wild >out 2>err
status=$?
case $status in 1 | 6) ;; *) fail "wild write: exit code $status" ;; esac
[ "$(cat out err | wc -l)" -gt 0 ] || fail "wild write: nothing is said"

program handler <<'C'
#include <signal.h>
#include <stdlib.h>
static void on_crash(int signal) { (void)signal; _Exit(0); }
int main(void) {
    signal(SIGSEGV, on_crash);
    *(volatile int *)8 = 1;
    return 0;
}
C
# The same as without the tool: the handler runs, and ends the process with success.
expect 0 "verified" ./handler

program silent <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) { fclose(stdout); close(2); return chdir("/"); }
C
expect 0 "verified" ./silent

# --- not compiled by heddle cc ---

cat >plain.c <<'C'
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
    pthread_mutex_lock(&b); pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_mutex_lock(&a); pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
    return pthread_join(thread, NULL);
}
C
gcc -g -o plain plain.c -pthread
expect 1 "library calls only" ./plain
grep -q "deadlock" out || fail "the deadlock of a plain program is not found"

# --- ended in the middle ---

# The first executions show a bug; after that the search does not end by itself.
program endless <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x;
static void *run(void *unused) {
    for (int i = 0; i < 12; i++)
        atomic_fetch_add(&x, 1);
    heddle_assert(atomic_load(&x) != 24);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C

# interrupt NAME COMMAND...: starts the run, waits for the first trace, runs the command, and waits for the end of the
# run.
interrupt() {
    name=$1
    shift
    checks=$((checks + 1))
    rm -f endless.trace run.json
    start "$HEDDLE" run --strategy=dfs --keep-going --json=run.json ./endless
    await [ -s endless.trace ] || fail "$name: nothing is found"
    "$@"
    end_started
    [ -s endless.trace ] || fail "$name: no trace is left"
    nobody_left
    "$HEDDLE" replay endless.trace >replay.out 2>&1
    [ $? -eq 1 ] || fail "$name: the trace does not replay"
}

end_by() { kill "-$1" "$background"; }

# Kills the program, or the tool that minimises its schedule at that moment. This may end the run. If not, the run is
# stopped afterwards.
kill_child_then_stop() {
    victims=$(children_of "$background")
    for victim in $victims; do kill -KILL "$victim"; done
    await were_seen_dead "$victims"
    kill -INT "$background" 2>/dev/null
}

# True if the run has noticed the end of these processes, or has ended itself.
were_seen_dead() {
    for victim in $1; do
        ! children_of "$background" | grep -qw "$victim" || return 1
    done
}

interrupt "Ctrl-C" end_by INT
[ "$status" -eq 1 ] || fail "Ctrl-C: exit code $status"
grep -q '"verdict": "bug"' run.json || fail "Ctrl-C: the JSON is not written"
interrupt "SIGTERM" end_by TERM
[ "$status" -eq 1 ] || fail "SIGTERM: exit code $status"
interrupt "SIGKILL of the supervisor" end_by KILL
[ "$status" -eq 137 ] || fail "SIGKILL of the supervisor: exit code $status"
interrupt "SIGKILL of the program" kill_child_then_stop
[ "$status" -eq 1 ] || [ "$status" -eq 4 ] || fail "SIGKILL of the program: exit code $status"

expect 3 "no bug so far: --timeout" --strategy=dfs --timeout=1 --races=ignore "$BUILD/programs/readers" 12

# A runtime that cannot read its session (because it is of another build) does not let the program run uncontrolled.
echo "int main(void) { return 0; }" >alone.c
"$HEDDLE" cc -o alone alone.c || fail "alone does not compile"
checks=$((checks + 1))
HEDDLE_SESSION=/dev/null ./alone
status=$?
[ "$status" -eq 119 ] || fail "a session that is none: exit code $status"

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
