#!/bin/sh
# Calls that would wait in the kernel, or create threads or processes that the tool does not see,
# end in one line with the call and its source line, and exit code 5. They never hang. Harmless
# calls go on, and the summary names them.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- # the numbers of descriptors are checked below
flags=-O1
line=call.c:100
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS

# program STATEMENTS: prints a program whose thread runs STATEMENTS on line 100, in more than one
# execution.
program() {
    cat <<'END'
#define _GNU_SOURCE
#include <aio.h>
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static char buffer[64];
static void handler(int s) { (void)s; buffer[0]++; }
static int child(void *arg) { (void)arg; return 0; }
static void *worker(void *arg) {
    char *argv[] = {"/bin/true", 0};
    int pair[2] = {-1, -1};
    struct pollfd one;
    fd_set set;
    struct timeval tv = {1, 0};
    struct timespec ts = {1, 0};
    (void)argv, (void)pair, (void)one, (void)set, (void)tv, (void)ts, (void)handler, (void)child;
    sched_yield();
#line 100
END
    printf '    %s\n' "$1"
    cat <<'END'
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    sched_yield();
    pthread_join(t, 0);
    return 0;
}
END
}

# explore CODE STATEMENTS OPTIONS...: builds and runs the program. Its output is in out.txt.
explore() {
    code=$1 statements=$2
    shift 2
    program "$statements" >call.c
    if ! "$HEDDLE" cc -g $flags -o call call.c 2>build.txt; then
        fail "does not compile: $statements: $(cat build.txt)"
        return 1
    fi
    timeout 600 "$HEDDLE" run --strategy=dfs "$@" ./call >out.txt 2>&1 </dev/null
    status=$?
    [ $status -eq "$code" ] && return 0
    fail "'$statements' ended with $status, not $code: $(cat out.txt)"
    return 1
}

# refuses CALL STATEMENTS: there must be exit code 5, and exactly one line with the call and the
# source line.
refuses() {
    explore 5 "$2" || return
    [ "$(wc -l <out.txt)" -eq 1 ] || fail "'$2' printed more or less than one line: $(cat out.txt)"
    grep -q "^heddle: $1: .*$line" out.txt || fail "'$2' does not name $1 and its line: $(cat out.txt)"
}

# goes_on CALL STATEMENTS: the program must be verified in all executions (each of them opens the
# same descriptors again), and CALL must be in the list of uncontrolled calls ("-": there must be no
# such list).
goes_on() {
    explore 0 "$2" || return
    explore 0 "$2" --isolate=fork || return
    grep -q 'all [2-9] executions' out.txt || fail "'$2' has one execution only: $(cat out.txt)"
    if [ "$1" = - ]; then
        grep -q 'controlled' out.txt && fail "'$2' is listed as not controlled: $(cat out.txt)"
    else
        grep -q "$1" out.txt || fail "'$2': the summary does not name $1: $(cat out.txt)"
    fi
}

# finds TEXT STATEMENTS: there must be a finding with TEXT.
finds() {
    explore 1 "$2" || return
    grep -q "$1" out.txt || fail "'$2' does not say '$1': $(cat out.txt)"
}

# --- processes
refuses fork 'fork();'
refuses _Fork '_Fork();'
refuses vfork 'if (vfork() == 0) _exit(0);'
refuses clone 'clone(child, buffer + 64, SIGCHLD, 0);'
refuses system 'system("true");'
refuses popen 'popen("true", "r");'
refuses posix_spawn 'posix_spawn(0, argv[0], 0, 0, argv, environ);'
refuses posix_spawnp 'posix_spawnp(0, "true", 0, 0, argv, environ);'
refuses execv 'execv(argv[0], argv);'
refuses execl 'execl(argv[0], argv[0], (char *)0);'
refuses execlp 'execlp("true", "true", (char *)0);'
refuses execle 'execle(argv[0], argv[0], (char *)0, environ);'
refuses execve 'execve(argv[0], argv, environ);'
refuses execvp 'execvp("true", argv);'
refuses daemon 'daemon(1, 1);'
refuses wait 'wait(0);'
refuses waitpid 'waitpid(-1, 0, 0);'
refuses kill 'kill(getppid(), SIGTERM);'

# --- waiting for descriptors
refuses poll 'pipe(pair); one = (struct pollfd){pair[0], POLLIN, 0}; poll(&one, 1, -1);'
refuses poll 'pipe(pair); one = (struct pollfd){pair[0], POLLIN, 0}; poll(&one, 1, 1000);'
refuses ppoll 'pipe(pair); one = (struct pollfd){pair[0], POLLIN, 0}; ppoll(&one, 1, &ts, 0);'
refuses poll 'poll(0, 0, -1);'
refuses select 'pipe(pair); FD_ZERO(&set); FD_SET(pair[0], &set); select(pair[0] + 1, &set, 0, 0, &tv);'
refuses pselect 'pipe(pair); FD_ZERO(&set); FD_SET(pair[0], &set); pselect(pair[0] + 1, &set, 0, 0, 0, 0);'
refuses epoll_wait 'struct epoll_event e; epoll_wait(epoll_create1(0), &e, 1, -1);'
refuses read 'pipe(pair); read(pair[0], buffer, 1);'
refuses read 'pair[0] = eventfd(0, 0); read(pair[0], buffer, 8);'
refuses recv 'socketpair(AF_UNIX, SOCK_STREAM, 0, pair); recv(pair[0], buffer, 1, 0);'
refuses fgets 'pipe(pair); fgets(buffer, 10, fdopen(pair[0], "r"));'
refuses fgetc 'pipe(pair); fgetc(fdopen(pair[0], "r"));'
refuses write 'pipe(pair); fcntl(pair[1], F_SETPIPE_SZ, 4096); for (;;) write(pair[1], buffer, 64);'
refuses read 'struct itimerspec it = {.it_value = {9, 0}}; pair[0] = timerfd_create(CLOCK_MONOTONIC, 0); timerfd_settime(pair[0], 0, &it, 0); read(pair[0], buffer, 8);'
refuses splice 'pipe(pair); splice(pair[0], 0, pair[1], 0, 1, 0);'
refuses accept 'struct sockaddr_in a = {.sin_family = AF_INET}; int s = socket(AF_INET, SOCK_STREAM, 0); bind(s, (struct sockaddr *)&a, sizeof a); listen(s, 1); accept(s, 0, 0);'
refuses connect 'struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = 9}; connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&a, sizeof a);'
refuses getaddrinfo 'struct addrinfo *r; getaddrinfo("example.org", 0, 0, &r);'
refuses flock 'int a = open("call.c", O_RDWR), b = open("call.c", O_RDWR); flock(a, LOCK_EX); flock(b, LOCK_EX);'

# --- communication between processes, timers, signals
refuses mq_open 'mq_open("/none", O_CREAT | O_RDWR, 0600, (struct mq_attr *)0);'
refuses msgrcv 'msgrcv(0, buffer, 1, 0, 0);'
refuses semop 'struct sembuf op = {0, -1, 0}; semop(0, &op, 1);'
refuses aio_read 'static struct aiocb request; aio_read(&request);'
refuses timer_create 'timer_t t; timer_create(CLOCK_MONOTONIC, 0, &t);'
refuses setitimer 'struct itimerval it = {{1, 0}, {1, 0}}; setitimer(ITIMER_REAL, &it, 0);'
refuses alarm 'signal(SIGALRM, handler); alarm(1);'
refuses pause 'pause();'
refuses sigwait 'sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigwait(&s, &n);'
refuses sigsuspend 'sigset_t s; sigemptyset(&s); sigsuspend(&s);'
refuses kill 'sigset_t s; sigfillset(&s); pthread_sigmask(SIG_BLOCK, &s, 0); kill(getpid(), SIGUSR1);'
refuses 'syscall(SYS_kill)' 'syscall(SYS_kill, getppid(), SIGTERM);'
refuses 'syscall(SYS_tgkill)' 'syscall(SYS_tgkill, getppid(), getppid(), SIGTERM);'
for call in setresuid setgroups timer_create setitimer mq_open; do
    refuses "syscall(SYS_$call)" "syscall(SYS_$call, -1L, 0L, 0L);"
done
refuses tgkill 'tgkill(getppid(), getppid(), SIGTERM);'
refuses setuid 'setuid(getuid());'
refuses setresgid 'setresgid(getgid(), getgid(), getgid());'

# --- system call instructions in the program itself: the kernel stops them
# The supervisor is the parent, so the signal would end it. A new process would exit with 9.
raw='long r; __asm__ volatile("syscall" : "=a"(r) : "a"(SYS_'
end=' : "rcx", "r11", "memory"); if (r == 0) _exit(9);'
refuses 'system call kill' "$raw"'kill), "D"(getppid()), "S"(SIGKILL)'"$end"
refuses 'system call kill' 'signal(SIGSYS, SIG_IGN);'"$raw"'kill), "D"(-1), "S"(SIGKILL)'"$end"
refuses 'system call tgkill' "$raw"'tgkill), "D"(getppid()), "S"(getppid()), "d"(SIGKILL)'"$end"
refuses 'system call kill' 'sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); signal(SIGSYS, handler);'"$raw"'kill), "D"(getpid()), "S"(SIGUSR1)'"$end"
refuses 'system call fork' "$raw"'fork)'"$end"
refuses 'system call clone' "$raw"'clone), "D"(SIGCHLD), "S"(0), "d"(0)'"$end"
refuses 'system call clone' 'extern pid_t __fork(void); if (__fork() == 0) _exit(9);'
refuses 'system call clone3' 'long a[11] = {[4] = SIGCHLD};'"$raw"'clone3), "D"(a), "S"(sizeof a)'"$end"
refuses 'system call execve' "$raw"'execve), "D"(argv[0]), "S"(argv), "d"(environ)'"$end"
refuses 'system call exit' "$raw"'exit), "D"(0)'"$end"
refuses 'system call of another architecture' 'long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(37), "b"(getppid()), "c"(9) : "memory");'
explore 5 "$raw"'kill), "D"(getppid()), "S"(SIGKILL)'"$end" --isolate=fork &&
    grep -q "^heddle: system call kill: .*$line" out.txt || fail "--isolate=fork: $(cat out.txt)"
# Signal 0 sends nothing, so it is allowed, and so is getpid.
explore 0 "$raw"'kill), "D"(getppid()), "S"(0)'"${end%% if*}"' assert(r == 0);'
explore 0 "$raw"'getpid)'"${end%% if*}"' assert(r == getpid());'

# --- calls that cannot wait, or only wait for time
goes_on - 'poll(0, 0, 1000); select(0, 0, 0, 0, &tv);'
goes_on poll 'pipe(pair); one = (struct pollfd){pair[0], POLLIN, 0}; assert(poll(&one, 1, 0) == 0);'
goes_on poll 'pipe(pair); write(pair[1], "x", 1); one = (struct pollfd){pair[0], POLLIN, 0}; assert(poll(&one, 1, -1) == 1);'
goes_on select 'pipe(pair); write(pair[1], "x", 1); FD_ZERO(&set); FD_SET(pair[0], &set); assert(select(pair[0] + 1, &set, 0, 0, 0) == 1);'
goes_on read 'pipe(pair); write(pair[1], "x", 1); assert(read(pair[0], buffer, 1) == 1 && buffer[0] == 120);'
goes_on read 'pipe2(pair, O_NONBLOCK); assert(read(pair[0], buffer, 1) == -1);'
goes_on open 'int f = open("call.c", O_RDONLY); assert(read(f, buffer, 8) == 8 && !memcmp(buffer, "#define ", 8)); close(f);'
goes_on fopen 'FILE *f = fopen("call.c", "r"); assert(fgets(buffer, 60, f) && fgetc(f) == 35); fclose(f);'
goes_on flock 'flock(open("call.c", O_RDWR), LOCK_EX);'
goes_on fcntl 'struct flock l = {.l_type = F_WRLCK}; assert(fcntl(open("call.c", O_RDWR), F_SETLKW, &l) == 0);'
goes_on - 'puts("hello"); write(1, "x", 1); assert(getchar() == EOF);'
goes_on alarm 'alarm(5);'
goes_on sigaction 'struct sigaction a = {.sa_handler = handler}, b; sigaction(SIGUSR1, &a, 0); sigaction(SIGUSR1, 0, &b); assert(b.sa_handler == handler); raise(SIGUSR1); assert(buffer[0] == 1);'
goes_on - 'signal(SIGINT, SIG_IGN); raise(SIGINT); raise(SIGCHLD); assert(kill(getpid(), 0) == 0);'
goes_on mprotect 'char *p = mmap(0, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); assert(!((long)p & 4095)); mprotect(p, 8192, PROT_READ | PROT_WRITE); assert(p[0] == 0 && p[8191] == 0); p[8191] = 1; assert(munmap(p, 8192) == 0);'
goes_on - 'char *p = mmap(0, 300 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); assert(p != MAP_FAILED && p[5] == 0); p[5] = 1; p = mremap(p, 4096, 1 << 20, MREMAP_MAYMOVE); assert(p != MAP_FAILED && p[5] == 1);'
goes_on mmap 'char *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE, open("call.c", O_RDONLY), 0); assert(p[0] == 35);'
goes_on 'pthread_create: a stack has 8 MiB' 'pthread_attr_t a; pthread_t t; pthread_attr_init(&a); assert(pthread_attr_setstacksize(&a, 64 << 20) == 0 && pthread_create(&t, &a, (void *(*)(void *))strdup, "x") == 0 && pthread_join(t, 0) == 0);'
goes_on - 'pthread_attr_t a; pthread_t t; pthread_attr_init(&a); assert(pthread_attr_setstacksize(&a, 8 << 20) == 0 && pthread_create(&t, &a, (void *(*)(void *))strdup, "x") == 0 && pthread_join(t, 0) == 0);'
goes_on pthread_attr_setstack 'static char own[1 << 16] __attribute__((aligned(4096))); pthread_attr_t a; pthread_t t; pthread_attr_init(&a); assert(pthread_attr_setstack(&a, own, sizeof own) == 0 && pthread_create(&t, &a, (void *(*)(void *))strdup, "x") == 0 && pthread_join(t, 0) == 0);'
goes_on setschedparam 'struct sched_param p = {0}; pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);'

# Descriptors that an execution leaves open are closed for the next one.
goes_on open 'int f = open("call.c", O_RDONLY); assert(f == 3 && dup(f) == 4 && pipe(pair) == 0 && pair[1] == 6 && fileno(fopen("call.c", "r")) == 7);'

goes_on - 'assert(fclose(stdout) == 0 && close(0) == 0 && dup2(2, 1) == 1 && dup(1) == 0);'

# With checks of buffer sizes, the calls have other names and are in inline functions.
flags="-O2 -D_FORTIFY_SOURCE=2" line=h:
refuses read 'pipe(pair); read(pair[0], buffer, (size_t)arg);'
refuses poll 'pipe(pair); one = (struct pollfd){pair[0], POLLIN, 0}; poll(&one, (nfds_t)(1 + (size_t)arg), -1);'
goes_on open 'assert(read(open("call.c", O_RDONLY | (int)(size_t)arg), buffer, 8 + (size_t)arg) == 8);'
flags=-O1 line=call.c:100

# The kernel writes to memory that is saved lazily: a large .bss, in every execution.
goes_on - 'static char large[1 << 20]; static struct stat st[4000]; assert(large[70000] == 0 && fstat(0, &st[1000]) == 0 && pipe((int *)(large + 70000)) == 0);'
goes_on read 'static char large[1 << 20]; int f = open("call.c", O_RDONLY); assert(large[70000] == 0 && read(f, large + 70000, 8) == 8);'

# --- calls that end the process, or are wrong
finds 'SIGTERM' 'raise(SIGTERM);'
finds 'SIGKILL' 'kill(getpid(), SIGKILL);'
finds 'assertion' 'raise(SIGABRT);'
finds 'heap misuse' 'read(open("call.c", O_RDONLY), malloc(4), 8);'
finds 'heap misuse' 'char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); munmap(p, 8192); p[100] = 1;'

exit $failed
