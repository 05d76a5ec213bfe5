#!/bin/sh
# A checkpoint cannot put back the state of the kernel, so such programs are executed again from the
# start. It must put back the stack below the place where a task stood.
set -u
. "$SOURCE/tests/programs/programs.sh"

program() { # name; its main's two halves stand before and after a few operations of two tasks
    cat >"$work/$1.c" <<END
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static atomic_int x, y;
__attribute__((noinline)) static int below(void) { int a[20000]; return a[100]; }
__attribute__((noinline)) static void dirty(int value) { int a[20000]; memset(a, value, sizeof a); }
static void work(void) {
    for (int i = 0; i < 3; i++) {
        atomic_store(&x, 1);
        (void)atomic_load(&y);
    }
}
static void *thread(void *unused) {
    work();
    return unused;
}
int main(void) {
    pthread_t other;
    (void)below, (void)dirty;
    $2
    pthread_create(&other, NULL, thread, NULL);
    for (int i = 0; i < 3; i++) {
        atomic_store(&y, 1);
        (void)atomic_load(&x);
    }
    pthread_join(other, NULL);
    $3
    return 0;
}
END
    "$HEDDLE" cc -w -o "$work/$1" "$work/$1.c" || fail "$1.c"
    for checkpoints in on off; do
        for strategy in optimal dfs; do
            checked=$((checked + 1))
            cd "$work" || exit 1 # a program makes a folder there
            run_tool -q --strategy=$strategy --checkpoints=$checkpoints --max-executions=500 --json=a.json "./$1"
            # Two tasks of six operations each: the second execution begins in a state that was put
            # back.
            [ "$(field a.json executions)" -gt 1 ] || fail "$1, $strategy: one execution only"
            case $(answer a.json) in
            "verified " | "budget-ended ") ;;
            *) fail "$1, $strategy, checkpoints $checkpoints: $(cat "$work/out")" ;;
            esac
        done
    done
}

program folder 'heddle_assert(mkdir("made", 0700) == 0);' 'heddle_assert(rmdir("made") == 0);'
program mask 'umask(022);' 'heddle_assert(umask(077) == 022);'
program limit 'struct rlimit limit; getrlimit(RLIMIT_NOFILE, &limit); limit.rlim_cur = 100;
    setrlimit(RLIMIT_NOFILE, &limit);' \
    'getrlimit(RLIMIT_NOFILE, &limit); heddle_assert(limit.rlim_cur == 100);
    limit.rlim_cur = 200; setrlimit(RLIMIT_NOFILE, &limit);'
program stack 'dirty(1);' 'heddle_assert(below() == 0x01010101); dirty(2);'
finish
