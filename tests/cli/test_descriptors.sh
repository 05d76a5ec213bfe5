#!/bin/bash
# Standard descriptors may be closed at the start, and programs may close all descriptors. The output of the tool
# stays the same, and the program has the same descriptors in every execution.
. "$SOURCE/tests/cli/cli.sh"

# Close descriptors that the caller of the tests has left open.
for fd in 3 4 5 6 7 8 9; do eval "exec $fd>&-"; done

# closed MASK COMMAND...: runs a command with those standard descriptors closed whose bit is set in MASK. The output
# of the others is kept.
closed() {
    mask=$1
    shift
    (
        exec 3>&1 4>&2 1>out 2>err
        [ $((mask & 1)) -eq 0 ] || exec 0<&-
        [ $((mask & 2)) -eq 0 ] || exec 1>&-
        [ $((mask & 4)) -eq 0 ] || exec 2>&-
        exec 3>&- 4>&-
        "$@"
    )
}

# expect CODE TEXT MASK COMMAND...: checks the exit code, and that TEXT is on the standard output, unless that is
# closed.
expect() {
    code=$1 text=$2 mask=$3
    shift 3
    rm -f out err
    closed "$mask" "$@"
    status=$?
    [ $status -eq "$code" ] || fail "'$*' with $mask closed ended with $status, not $code: $(cat out err)"
    [ $((mask & 2)) -ne 0 ] || [ -z "$text" ] || says "$text"
    says_not 'session'
}

# --- the tool ---

# Two tasks take two mutexes in both orders: the first executions already show the deadlock.
runs 1 "$HEDDLE" run --trace=kept.trace "$programs/queue_wrong"
head -n 20 kept.trace >head.before
cat >one.c <<'C'
int main(void) { return 0; }
C

for mask in 0 1 2 3 4 5 6 7; do
    rm -f q.json one
    expect 1 'SUMMARY' $mask "$HEDDLE" run --json=q.json --trace=q.trace "$programs/queue_wrong"
    is_result q.json 1 || fail "with $mask closed the JSON is not a result: $(cat q.json)"
    expect 0 'verified: all 8 executions' $mask "$HEDDLE" run "$programs/readers" 3
    expect 1 'SUMMARY' $mask "$HEDDLE" replay kept.trace
    expect 0 'schedule' $mask "$HEDDLE" show kept.trace
    rm -f kept.html
    expect 0 '' $mask "$HEDDLE" report kept.trace
    [ -s kept.html ] || fail "with $mask closed there is no page"
    expect 0 'SUMMARY' $mask "$HEDDLE" min --max-executions=50 -o smaller.trace kept.trace
    runs 1 "$HEDDLE" replay --quiet smaller.trace
    expect 0 '' $mask "$HEDDLE" cc -o one one.c
    [ -x one ] || fail "with $mask closed nothing is compiled"
    expect 2 '' $mask "$HEDDLE" replay no.trace
done
head -n 20 kept.trace | cmp -s - head.before || fail "the trace was written over"

# --- the program ---

program() {
    cat >"$1.c"
    "$HEDDLE" cc -O1 -o "$1" "$1.c" || fail "$1 does not compile"
}

# Two tasks with one atomic addition each: two executions. In each execution the first new descriptor is 3, standard
# output is open, and so is the inherited descriptor 5, even if the execution before has closed them.
program closes <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x;
static void *run(void *unused) { x++; return unused; }
static void close_all(const char *how) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    int end = limit.rlim_cur < 4096 ? (int)limit.rlim_cur : 4096;
    if (!strcmp(how, "up"))
        for (int fd = 0; fd < end; fd++) close(fd);
    else if (!strcmp(how, "down"))
        for (int fd = end; fd >= 0; fd--) close(fd);
    else if (!strcmp(how, "from"))
        closefrom(0);
    else if (!strcmp(how, "range"))
        close_range(0, ~0u, 0);
    else if (!strcmp(how, "raw"))
        syscall(SYS_close_range, 0, ~0u, 0);
    else if (!strcmp(how, "over"))
        for (int fd = end - 1; fd > 0; fd--) dup2(0, fd);
    else
        for (int fd = 3; fd < end; fd++) syscall(SYS_close, fd);
}
int main(int argc, char **argv) {
    pthread_t thread;
    (void)argc;
    int first = open("/dev/null", O_RDONLY), second = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY);
    heddle_assert(first == 3 && second == 4 && fcntl(5, F_GETFD) >= 0);
    for (int fd = 0; fd < 3; fd++)
        heddle_assert(fcntl(fd, F_GETFD) >= 0);
    pthread_create(&thread, NULL, run, NULL);
    x++;
    pthread_join(thread, NULL);
    close_all(argv[1]);
    if (strcmp(argv[1], "over") && strcmp(argv[1], "three"))
        heddle_assert(open("/dev/null", O_RDONLY) == 0 && open("/dev/null", O_RDONLY) == 1);
    return 0;
}
C
for how in up down from range raw three over; do
    runs 0 "$HEDDLE" run ./closes $how 5</dev/null
    says 'verified: all 2 executions'
    runs 0 "$HEDDLE" run --isolate=fork ./closes $how 5</dev/null
    says 'verified: all 2 executions'
done
# Heddle's own copies of descriptors also fit below a small limit.
(ulimit -n 40 && exec "$HEDDLE" run ./closes up 5</dev/null) >out 2>err || fail "with 40 descriptors: $(cat out err)"
says 'verified: all 2 executions'

# On replay the program's output arrives, although the program closes all descriptors afterwards.
program last_words <<'C'
#include <heddle/heddle.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    puts("the last words");
    fflush(stdout);
    for (int fd = 0; fd < 1024; fd++) close(fd);
    heddle_assert(0);
    return 0;
}
C
runs 1 "$HEDDLE" run ./last_words
runs 1 "$HEDDLE" replay last_words.trace
says 'the last words'
says 'SUMMARY'

exit $failed
