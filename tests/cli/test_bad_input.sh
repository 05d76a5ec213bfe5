#!/bin/sh
# test_bad_input.sh - a request that is impossible gets one line that says why, and the right exit code. A program
# that misbehaves ends within limits of time and memory, leaves no process behind, and causes no wrong statement. The
# first part needs no run at all. Programs that fail in common ways are in test_robustness.sh.
set -u
. "$SOURCE/tests/checks.sh"
work=$(cd "$(mktemp -d)" && pwd -P)
. "$SOURCE/tests/cli/waiting.sh"
trap 'kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset HEDDLE_OPTIONS

# run_limited COMMAND...: runs a command within a time limit; sets `out`, `err` and $status, which is 124 if the time
# is over.
run_limited() {
    forget_results "$@"
    timeout -k 5 $patience "$@" >out 2>err
    status=$?
}

# expect CODE TEXT COMMAND...: the command must end with that exit code, print nothing on stdout and one line with
# TEXT on stderr.
expect() {
    code=$1 text=$2
    shift 2
    run_limited "$@"
    [ "$status" -eq "$code" ] || fail "'$*' ended with $status, not $code: $(cat out err)"
    [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || fail "'$*' does not say one line on stderr: $(cat out err)"
    grep -qF -- "heddle: $text" err || fail "'$*' does not say 'heddle: $text': $(cat err)"
}

# --- before anything runs ---

echo 'int main(void) { return 0; }' >main.c
gcc -o good main.c
gcc -static -o static main.c 2>/dev/null || cp good static
gcc -c -o object.o main.c
chmod +x object.o
cp good foreign
printf '\267\000' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null # EM_AARCH64
cp good small
printf '\001' | dd of=small bs=1 seek=4 conv=notrunc 2>/dev/null # ELFCLASS32
echo text >text
printf '#!/bin/sh\nexit 0\n' >script
: >empty
mkdir directory
mkfifo pipe
head -c 40 good >stump
chmod +x script stump empty pipe

expect 2 "./nothing: No such file or directory" "$HEDDLE" run ./nothing
expect 2 "./nothing: No such file or directory" "$HEDDLE" ./nothing
expect 2 "nothing: no such program" "$HEDDLE" run nothing
expect 2 "" "$HEDDLE" run ""
expect 2 "good: not found in PATH; did you mean './good'?" "$HEDDLE" run good
expect 2 "./text: not executable" "$HEDDLE" run ./text
expect 2 "./directory: is a directory" "$HEDDLE" run ./directory
expect 2 "./good/x: Not a directory" "$HEDDLE" run ./good/x
expect 2 "./pipe: not a regular file" "$HEDDLE" run ./pipe
expect 2 "$work/script: not an ELF program" "$HEDDLE" run ./script
expect 2 "$work/empty: not an ELF program" "$HEDDLE" run ./empty
expect 2 "$work/stump: not an ELF program" "$HEDDLE" run ./stump
expect 2 "$work/object.o: an object file" "$HEDDLE" run ./object.o
expect 2 "$work/foreign: made for another architecture" "$HEDDLE" run ./foreign
expect 2 "$work/small: " "$HEDDLE" run ./small
if ! cmp -s good static; then
    expect 5 "$work/static: statically linked" "$HEDDLE" run ./static
fi
cp good other
if chown 65534 other 2>/dev/null && chmod u+s other && [ "$(id -u)" -eq 0 ]; then
    expect 5 "./other: runs as another user" "$HEDDLE" run ./other
fi
if [ "$(id -u)" -ne 0 ]; then # root can read every file
    cp good secret
    chmod 111 secret
    expect 2 "$work/secret: Permission denied" "$HEDDLE" run ./secret
fi

expect 2 "run: which program?" "$HEDDLE" run
expect 2 "'rnu' is neither a command nor a program; did you mean 'run'?" "$HEDDLE" rnu
expect 2 "'completely-else' is neither" "$HEDDLE" completely-else
expect 2 "unknown option '--stratgey'; did you mean '--strategy'?" "$HEDDLE" run --stratgey=dfs ./good
expect 2 "unknown option '--stratgey'; did you mean '--strategy'?" "$HEDDLE" --stratgey=dfs ./good
expect 2 "unknown option '--zzzzzzzz'" "$HEDDLE" run --zzzzzzzz ./good
expect 2 "unknown option '-z'" "$HEDDLE" run -z ./good
expect 2 "unknown strategy 'dsf'; did you mean 'dfs'?" "$HEDDLE" run --strategy=dsf ./good
expect 2 "unknown strategy 'replay'" "$HEDDLE" run --strategy=replay ./good
expect 2 "option '--seed' needs a value: --seed=N" "$HEDDLE" run --seed
expect 2 "bad value '' for '--strategy'" "$HEDDLE" run --strategy= ./good
expect 2 "bad value '' for '--trace'" "$HEDDLE" run --trace= ./good
expect 2 "option '--quiet' takes no value" "$HEDDLE" run --quiet=yes ./good
expect 2 "bad value '-1' for '--seed'" "$HEDDLE" run --seed=-1 ./good
expect 2 "bad value '99999999999999999999' for '--seed'" "$HEDDLE" run --seed=99999999999999999999 ./good
expect 2 "bad value '0' for '--max-executions'" "$HEDDLE" run --max-executions=0 ./good
expect 2 "bad value '4294967296' for '--max-steps'" "$HEDDLE" run --max-steps=4294967296 ./good
expect 2 "bad value '5000' for '--max-tasks'" "$HEDDLE" run --max-tasks=5000 ./good
expect 2 "bad value '5x' for '--timeout'" "$HEDDLE" run --timeout=5x ./good
expect 2 "bad value '0' for '--timeout'" "$HEDDLE" run --timeout=0 ./good
expect 2 "bad value '-1s' for '--timeout'" "$HEDDLE" run --timeout=-1s ./good
expect 2 "bad value '99999999h' for '--timeout'" "$HEDDLE" run --timeout=99999999h ./good
expect 2 "bad value 'much' for '--memory'" "$HEDDLE" run --memory=much ./good
expect 2 "bad value '99999999999G' for '--memory'" "$HEDDLE" run --memory=99999999999G ./good
expect 2 "bad value 'maybe' for '--races': one of report explore ignore" "$HEDDLE" run --races=maybe ./good
for bound in preemptions delays; do
    expect 2 "a bound on $bound does not go with --strategy=optimal, but with: dfs classic source " \
        "$HEDDLE" run --strategy=optimal --$bound=2 ./good
done
expect 2 "a bound on divergences does not go with --strategy=dfs, but with: classic source optimal observers (optimal by default)" \
    "$HEDDLE" run --strategy=dfs --divergences=1 ./good
expect 2 "'--preemptions' and '--delays' exclude each other" "$HEDDLE" run --delays=2 --preemptions=2 ./good
expect 2 "'--deepen=delays' and '--preemptions' exclude each other" "$HEDDLE" run --deepen=delays --preemptions=2 ./good
expect 2 "bad value 'steps' for '--deepen'" "$HEDDLE" run --deepen=steps ./good
expect 2 "'--deepen' needs a strategy that comes to an end" "$HEDDLE" run --deepen --strategy=random ./good
expect 2 "--json: /nonexistent/x: No such file" "$HEDDLE" run --json=/nonexistent/x ./good
expect 2 "--json: directory: Is a directory" "$HEDDLE" run --json=directory ./good
expect 2 "--output: /nonexistent: No such file" "$HEDDLE" run --output=/nonexistent ./good
expect 2 "--output: good: not a directory" "$HEDDLE" run --output=good ./good
expect 2 "--trace: /nonexistent: No such file" "$HEDDLE" run --trace=/nonexistent/x.trace ./good
expect 2 "--trace: directory: is a directory" "$HEDDLE" run --trace=directory ./good
expect 2 "HEDDLE_OPTIONS: unknown option 'stratgey'; did you mean 'strategy'?" \
    env HEDDLE_OPTIONS=stratgey=dfs "$HEDDLE" run ./good
expect 2 "HEDDLE_OPTIONS: bad value 'x' for 'seed'" env HEDDLE_OPTIONS=quiet:seed=x "$HEDDLE" run ./good
expect 2 "HEDDLE_OPTIONS: option 'strategy' needs a value" env HEDDLE_OPTIONS=strategy "$HEDDLE" run ./good
expect 2 "HEDDLE_OPTIONS: unknown option ''" env HEDDLE_OPTIONS== "$HEDDLE" run ./good

printf 'heddle-trace 1\nnote\thalf' >half.trace
printf 'heddle-trace 1\nend\t0123456789abcdef\n' >garbled.trace
printf 'heddle-trace 7\nend\t0123456789abcdef\n' >later.trace
for command in show replay; do
    expect 2 "$command: one trace is needed" "$HEDDLE" $command
    expect 2 "$command: one trace is needed" "$HEDDLE" $command text text
    expect 2 "nothing.trace: No such file or directory" "$HEDDLE" $command nothing.trace
    expect 2 "directory: is a directory" "$HEDDLE" $command directory
    expect 2 "good: not a trace of Heddle" "$HEDDLE" $command good
    expect 2 "empty: not a trace of Heddle" "$HEDDLE" $command empty
    expect 2 "/dev/zero: not a trace of Heddle" "$HEDDLE" $command /dev/zero # this file has no end
    expect 2 "half.trace: cut off" "$HEDDLE" $command half.trace
    expect 2 "garbled.trace: garbled" "$HEDDLE" $command garbled.trace
    expect 2 "later.trace: trace format 7; this Heddle reads 1" "$HEDDLE" $command later.trace
done
expect 2 "unknown option '--gbd'; did you mean '--gdb'?" "$HEDDLE" replay good --gbd

"$HEDDLE" --version | grep -q '^heddle [0-9]' || fail "--version"
"$HEDDLE" help | grep -q 'heddle run' || fail "help"
"$HEDDLE" run --help | grep -q -- '--strategy=NAME' || fail "run --help"

# --- programs that run ---

# program NAME: compiles the source on standard input.
program() {
    cat >"$1.c"
    "$HEDDLE" cc -O0 -g -o "$1" "$1.c" || fail "$1.c does not compile"
}

# runs CODE TEXT OPTION... ./PROGRAM...: a run must end with that exit code, and its output must contain TEXT.
runs() {
    code=$1 text=$2
    shift 2
    run_limited "$HEDDLE" run --json=run.json "$@"
    [ "$status" -eq "$code" ] || fail "'$*' ended with $status, not $code: $(cat out err)"
    cat out err | tr -s "\n " " " | grep -qF -- "$text" || fail "'$*' does not say '$text': $(cat out err)"
    check_results $status --json=run.json
}

replays() {
    run_limited "$HEDDLE" replay "$1"
    [ "$status" -eq 1 ] || fail "replay of $1 ended with $status: $(cat out err)"
}

# json_has PATTERN: the JSON of the last run must contain the pattern.
json_has() {
    grep -qE -- "$1" run.json || fail "no $1 in the JSON: $(cat run.json)"
}

# memory_below KB: the largest size of the program, as the JSON has it, must be smaller.
memory_below() {
    kilobytes=$(sed -n 's/.*"memory_kb": *\([0-9]*\).*/\1/p' run.json)
    [ "$kilobytes" -gt 0 ] && [ "$kilobytes" -lt "$1" ] || fail "it took '$kilobytes' kB, not less than $1"
}

# Names, folders and arguments.
program arguments <<'C'
#include <string.h>
int main(int argc, char **argv) {
    static const char *const expected[] = {"--strategy=dfs", "", "a b", "-q", "$x'\n\"\\", "--"};
    if (argc != 7)
        return 1;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], expected[i - 1]) != 0)
            return 1 + i;
    return 0;
}
C
awkward=$(printf "\$x'\n\"\\\\")
runs 0 verified ./arguments --strategy=dfs "" "a b" -q "$awkward" --
mkdir "a folder"
cp arguments "a folder/a 'program'"
runs 1 "non-zero exit" -q "./a folder/a 'program'" --strategy=dfs
sed -n 's/^Replay: //p' out >again
[ -s again ] || fail "no replay command for a path with spaces: $(cat out)"
timeout $patience sh again >out 2>err
[ $? -eq 1 ] || fail "the replay command of a path with spaces does not work: $(cat again)"

# If the result file cannot be written, the verdict is still printed.
cat >bug.c <<'C'
#include <stdlib.h>
int main(void) { return EXIT_FAILURE; }
C
"$HEDDLE" cc -o bug bug.c || fail "bug.c does not compile"
if [ -c /dev/full ]; then
    run_limited "$HEDDLE" run -q --json=/dev/full --trace=/dev/full ./bug
    [ "$status" -eq 1 ] || fail "a bug that cannot be written down is a bug, not $status"
    grep -q 'cannot write /dev/full' err || fail "the trace is not said to be lost"
    grep -q '/dev/full: could not be written' err || fail "the JSON is not said to be lost"
    [ -c /dev/full ] || fail "the trace has replaced a device"
    run_limited "$HEDDLE" run --json=/dev/full ./good
    [ "$status" -eq 6 ] || fail "a lost result is an error, not $status"
fi

# Programs that end before main.
program exits_early <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void early(void) { exit(3); }
int main(void) { return 0; }
C
expect 5 "$work/exits_early ended before main, with exit status 3" "$HEDDLE" run ./exits_early
program crashes_early <<'C'
__attribute__((constructor)) static void early(void) { *(volatile int *)0 = 1; }
int main(void) { return 0; }
C
expect 5 "$work/crashes_early ended before main, by signal 11" "$HEDDLE" run ./crashes_early
program threads_early <<'C'
#include <pthread.h>
static pthread_t thread;
static void *nothing(void *x) { return x; }
__attribute__((constructor)) static void early(void) { pthread_create(&thread, 0, nothing, 0); }
int main(void) { return pthread_join(thread, 0); }
C
expect 5 "pthread_create: a thread that is started before main at threads_early.c:4" \
    "$HEDDLE" run ./threads_early
program hangs_early <<'C'
__attribute__((constructor)) static void early(void) { for (;;) ; }
int main(void) { return 0; }
C
expect 5 "$work/hangs_early did not reach main within" "$HEDDLE" run ./hangs_early
runs 3 "--timeout ended" --timeout=1s ./hangs_early
nobody_left

# Processes, signals, alarms: the report names the call and its line.
program forks <<'C'
#include <pthread.h>
#include <unistd.h>
static void *child(void *x) { fork(); return x; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    return pthread_join(thread, 0);
}
C
expect 5 "fork: processes are not controlled yet at forks.c:3 in child" "$HEDDLE" run ./forks
expect 5 "fork: processes are not controlled yet at forks.c:3 in child" \
    "$HEDDLE" run --isolate=fork ./forks
nobody_left
program alarms <<'C'
#include <signal.h>
#include <unistd.h>
static void ring(int signal) { _exit(signal); }
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        signal(SIGALRM, ring);
    alarm(1);
    for (volatile int i = 0; i < 10; i++)
        usleep(1000000);
    return 0;
}
C
runs 0 "alarm: never goes off" ./alarms
expect 5 "alarm: signals that arrive later" "$HEDDLE" run ./alarms with-handler

# 10,000 threads, one after the other: no name is used twice.
program many <<'C'
#include <pthread.h>
static void *nothing(void *x) { return x; }
int main(void) {
    for (int i = 0; i < 10000; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, nothing, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
C
expect 5 "pthread_create: more threads than --max-tasks allows at many.c:6 in main" "$HEDDLE" run ./many

# Memory: pages that are not touched cost nothing, pages that are touched are restored.
program statics <<'C'
#include <pthread.h>
static char big[1 << 30];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *touch(void *at) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 1 << 30; i += 1 << 20)
        big[i]++;
    pthread_mutex_unlock(&lock);
    return at;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, touch, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return big[0] != 2 || big[1 << 29] != 2;
}
C
for isolation in reset fork; do
    runs 0 verified --isolate=$isolation ./statics
    json_has '"executions": 2\b' # two tasks, one lock: two orders that differ
    memory_below 200000
done
program allocates <<'C'
#include <stdlib.h>
int main(int argc, char **argv) {
    size_t size = (size_t)atol(argv[1]);
    for (;;) {
        char *block = malloc(size);
        if (argc > 2 && block == NULL)
            return 0;
        block[0] = 1;
    }
}
C
for size in 8 1000000; do
    runs 0 "malloc: returned NULL: over the memory limit" --memory=32M ./allocates $size checked
    json_has '"call": "malloc"'
    memory_below 200000
    runs 1 "invalid memory access (SIGSEGV): write at address 0x0" --memory=32M ./allocates $size
    json_has '"call": "malloc"'
    replays allocates.trace
done

# Stacks: an access beyond the guard page is an overflow too, and does not reach the stack of another task.
program stacks <<'C'
#include <pthread.h>
#include <stdlib.h>
static int down(int n) { volatile char frame[100]; frame[0] = (char)n; return down(n + 1) + frame[0]; }
static void *wide(void *size) {
    volatile char frame[(long)size];
    frame[0] = frame[(long)size - 1] = 1;
    return 0;
}
static void *deep(void *x) { return down(0) ? x : 0; }
int main(int argc, char **argv) {
    pthread_t thread;
    long size = argc > 1 ? atol(argv[1]) : 0;
    pthread_create(&thread, 0, size ? wide : deep, (void *)size);
    return pthread_join(thread, 0);
}
C
runs 1 "stack overflow" ./stacks
replays stacks.trace
for size in 9000000 17000000 30000000 500000000; do
    runs 1 "stack overflow" ./stacks $size
done
runs 0 verified ./stacks 7000000

# Wild writes into Heddle's own memory. Instrumented writes and memset are noticed before they do damage.
cat >wild.c <<'C'
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static char *start;
static size_t size;
static int find(struct dl_phdr_info *info, size_t unused, void *data) {
    (void)unused, (void)data;
    if (strstr(info->dlpi_name, "libheddle.so") == NULL)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_W)) {
            char *segment = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            start = (char *)(((size_t)segment + 0x4000) & ~(size_t)4095); /* behind RELRO */
            size = (size_t)(segment + info->dlpi_phdr[i].p_memsz - start);
        }
    return 1;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *visit(void *x) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return x; }
int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, 0, visit, 0);
    visit(0);
    if (argc > 1 && argv[1][0] == 's') {
        start = (char *)0x100000000000;
        size = 1 << 20;
    } else {
        dl_iterate_phdr(find, 0);
    }
    if (argc > 2)
        for (size_t i = 0; i < size; i++)
            start[i] = (char)atoi(argv[2]);
    else
        memset(start, 0x5a, size);
    visit(0);
    return pthread_join(thread, 0);
}
C
"$HEDDLE" cc -O0 -g -o wild wild.c || fail "wild.c does not compile"
gcc -O0 -g -o wild_plain wild.c -pthread || fail "wild.c does not compile"
for target in session library; do
    runs 1 "write over Heddle's own memory" ./wild $target
    replays wild.trace
    runs 1 "write over Heddle's own memory" ./wild $target 0
    runs 1 "write over Heddle's own memory" ./wild_plain $target
    for value in 0 90 255; do # these writes are not noticed before they happen
        run_limited "$HEDDLE" run --step-timeout=1s ./wild_plain $target $value
        case $status in 1 | 4 | 5 | 6) ;; *) fail "wild write of $value over $target: $status" ;; esac
        [ "$(cat out err | wc -l)" -gt 0 ] || fail "wild write of $value over $target: nothing is said"
        nobody_left
    done
done

# Calls of a null function, and endless computation.
program nowhere <<'C'
int main(void) {
    void (*volatile function)(void) = 0;
    function();
    return 0;
}
C
runs 1 "crash nowhere.c:3 in main" ./nowhere
program forever <<'C'
#include <pthread.h>
static void *compute(void *x) {
    for (unsigned i = 0; i < 2; i = (i + 1) % 2)
        ;
    return x;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, compute, 0);
    return pthread_join(thread, 0);
}
C
for isolation in reset fork; do
    runs 1 "divergence: no operation within 300 ms" --isolate=$isolation --step-timeout=300ms ./forever
    nobody_left
done

# A raw system call ends the process, or waits. Heddle cannot notice it before it happens.
program raw <<'C'
#include <pthread.h>
#include <sys/syscall.h>
static long raw(long number, long argument) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(argument) : "rcx", "r11", "memory");
    return result;
}
static void *nothing(void *x) { return x; }
int main(int argc, char **argv) {
    pthread_t thread;
    (void)argv;
    pthread_create(&thread, 0, nothing, 0);
    raw(argc > 1 ? SYS_pause : SYS_exit_group, 0);
    return pthread_join(thread, 0);
}
C
for isolation in reset fork; do
    runs 1 "crash: the process ended in a way that cannot be controlled" --isolate=$isolation ./raw
done
runs 5 "blocks in the kernel" --step-timeout=300ms ./raw wait
nobody_left

# Two tasks call exit, and a handler of exit calls it too. Heddle handles each of these calls.
program exits <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void handler(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); exit(0); }
static void *leave(void *x) { exit(0); return x; }
int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, leave, 0);
    exit(0);
}
C
for isolation in reset fork; do
    runs 0 verified --isolate=$isolation --strategy=dfs ./exits
    # main runs the handler: lock, unlock, end. The thread ends before, between or after these steps, or never.
    json_has '"executions": 4\b'
done

# A failure that does not come again when it is repeated is reported as not controlled.
program reads <<'C'
#include <stdio.h>
int main(int argc, char **argv) {
    unsigned count = 0;
    FILE *file = fopen(argv[1], "r+");
    (void)argc;
    if (fscanf(file, "%u", &count) != 1)
        return 2;
    rewind(file);
    fprintf(file, "%u\n", count + 1);
    fclose(file);
    return count == 0;
}
C
echo 0 >counter
run_limited "$HEDDLE" run --json=run.json ./reads counter
[ "$status" -eq 4 ] || fail "a file that counts the executions: $status, not 4"
grep -q 'uncontrolled nondeterminism' out || fail "what differs is not said"
json_has '"verdict": "uncontrolled"'
json_has '"call": "fopen"'

# --- a trace of another build, or a damaged one ---

runs 1 "non-zero exit" -q ./bug
replays bug.trace
head -c 300 bug.trace >cut.trace
expect 2 "cut.trace: cut off" "$HEDDLE" replay cut.trace
sed 's/[0-9]/7/g' bug.trace >changed.trace
run_limited "$HEDDLE" replay changed.trace
[ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a changed trace: $status"
echo '/* another build */ int main(void) { return 1; }' >bug.c
"$HEDDLE" cc -O1 -o bug bug.c || fail "bug.c does not compile"
expect 2 "bug.trace: made by another build of $work/bug (build-id " "$HEDDLE" replay bug.trace

# --- runs that are ended in the middle: no finding is lost ---

# A random search finds the failure soon, and does not end by itself.
program endless <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *x) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return x;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, 0);
    pthread_mutex_lock(&lock);
    int seen = sum;
    pthread_mutex_unlock(&lock);
    assert(seen < 5);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
C

# interrupt CODE SIGNAL WHO ISOLATION: sends the signal to WHO (supervisor or program) as soon as the first trace is
# there.
interrupt() {
    code=$1 signal=$2 who=$3 isolation=$4
    rm -f endless.trace
    start "$HEDDLE" run --isolate="$isolation" --strategy=random --max-executions=1000000000 --keep-going \
        --json=run.json ./endless
    await grep -qs '^}' run.json || fail "$*: nothing is found" # the file is complete
    victim=$background
    [ "$who" = supervisor ] || victim=$(children_of "$background")
    # shellcheck disable=SC2086 # a list, with a blank at its end
    kill "-$signal" $victim
    end_started
    [ "$status" -eq "$code" ] || fail "$*: exit code $status"
    json_has '"kind": "assertion"'
    json_has '"trace": "endless.trace"'
    nobody_left
    replays endless.trace
}
for isolation in reset fork; do
    interrupt 1 INT supervisor $isolation
    tail -n 1 out | grep -q '^SUMMARY: ' || fail "Ctrl-C leaves no summary"
    interrupt 1 KILL program $isolation
    interrupt 137 KILL supervisor $isolation
done

# Nothing was found, and the program was killed: this is not a fault of the program.
sed 's/assert(seen < 5)/assert(seen >= 0)/' endless.c | program patient
start "$HEDDLE" run --strategy=dfs ./patient
searching
# shellcheck disable=SC2046 # a list, with a blank at its end
kill -KILL $(children_of "$background")
end_started
[ "$status" -eq 3 ] || fail "killed from outside, but not 3"
grep -q 'the program was killed from outside after' out || fail "it is not said to have been killed"
nobody_left
exit $failed
