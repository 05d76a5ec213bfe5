#!/bin/sh
# A search by states goes on after calls that leave nothing that cannot be saved. If it cannot go
# on, it names the call.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX

# searches CODE TEXT STATEMENTS: the threads of a program run STATEMENTS before they add to a
# counter under a mutex.
searches() {
    cat >t.c <<END
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
int __VERIFIER_nondet_int(void);
static void handler(int number) { (void)number; }
static void *worker(void *unused) {
    char buffer[16];
    (void)handler, (void)buffer;
    pthread_mutex_lock(&mutex);
    $3
    count++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
END
    "$HEDDLE" cc -g -o t t.c >out 2>&1 || { fail "'$3' does not compile: $(cat out)"; return; }
    run_tool --strategy=ses --json=a.json ./t
    [ "$status" = "$1" ] || fail "'$3' ended with $status, not $1: $(cat out)"
    tr -s '\n ' ' ' <out | grep -qF -- "$2" || fail "'$3': no '$2' in: $(cat out)"
}

searches 0 'heddle: verified: all' ''
searches 0 'heddle: verified: all' 'signal(SIGUSR1, handler);'
searches 0 'heddle: verified: all' 'struct sigaction action = {.sa_handler = handler}; sigaction(SIGUSR2, &action, NULL); raise(SIGUSR2);'
searches 0 'heddle: no bug within the bound: all' 'buffer[0] = (char)__VERIFIER_nondet_int();'
searches 0 'heddle: verified: all' 'int file = open("t.c", O_RDONLY); assert(read(file, buffer, sizeof buffer) > 0); close(file);'
searches 0 'heddle: verified: all' 'FILE *file = fopen("t.c", "r"); assert(fgets(buffer, sizeof buffer, file) != NULL); fclose(file);'
searches 0 'heddle: verified: all' 'pthread_setschedprio(pthread_self(), 0);'
searches 5 'it has a file or a socket open' 'open("t.c", O_RDONLY);'
searches 5 'cannot be put back, by open' 'close(open("x", O_RDWR | O_CREAT, 0600));'
searches 5 'cannot be put back, by mkdir' 'mkdir("folder", 0700);'

# A signal handler is part of the state: main sets its handler first or last, which decides the
# result.
cat >handlers.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int handled;
static void one(int number) { (void)number; handled = 1; }
static void two(int number) { (void)number; handled = 2; }
static void set(void (*handler)(int)) {
    pthread_mutex_lock(&mutex);
    signal(SIGUSR1, handler);
    pthread_mutex_unlock(&mutex);
}
static void *worker(void *unused) {
    set(two);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    set(one);
    pthread_join(thread, NULL);
    raise(SIGUSR1);
    assert(handled == 2);
    return 0;
}
END
"$HEDDLE" cc -g -O0 -o handlers handlers.c || fail "handlers.c does not compile"
run_tool --strategy=ses --json=a.json ./handlers
[ "$status" = 1 ] || fail "the order of the handlers does not matter: $(cat out)"
exit $failed
