/* misbehaving.c - programs that do what no test should: the tool still ends with a line and an exit code that are true. */
#include "corner.h"
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;
static int data;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void install(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    OK(sigaction(number, &action, NULL));
}

/* Each frame needs the one above it, so that no compiler makes a loop of it. */
__attribute__((noinline)) static int recurse(const volatile char *above) {
    volatile char room[1024];
    room[0] = above != NULL ? above[0] : 1;
    return room[0] ? recurse(room) + room[0] : 0;
}

/* expect: bug crash
 * The stack ends. */
PROGRAM(bad_recursion) {
    return recurse(NULL) == 77;
}

THREAD(recurse_in_thread) {
    return recurse(NULL) == 77 ? argument : NULL;
}

/* expect: bug crash
 * The stack of a thread, too. */
PROGRAM(bad_recursion_in_a_thread) {
    join(spawn(recurse_in_thread, NULL));
    return 0;
}

/* expect: bug divergence
 * options: --step-timeout=500ms
 * A loop without any operation. */
PROGRAM(bad_endless_loop) {
    for (;;) {
        __asm__ volatile("");
    }
    return 0;
}

THREAD(endless_thread) {
    while (data == 0) {
        sink = 1;
    }
    return NULL;
}

/* expect: bug crash
 * SIGKILL ends it. */
PROGRAM(bad_sigkill) {
    raise(SIGKILL);
    return 0;
}

/* expect: bug crash
 * SIGTERM without a handler. */
PROGRAM(bad_sigterm) {
    kill(getpid(), SIGTERM);
    return 0;
}

/* expect: bug crash
 * SIGINT of its own, which is not the user's Ctrl-C. */
PROGRAM(bad_sigint) {
    raise(SIGINT);
    return 0;
}

/* expect: bug crash
 * A trap instruction. */
PROGRAM(bad_trap) {
    __builtin_trap();
}

/* expect: bug crash
 * Calling a null pointer. */
PROGRAM(bad_null_call) {
    int (*volatile function)(void) = NULL;
    return function();
}

/* expect: bug crash
 * Writing to constant memory. */
PROGRAM(bad_write_to_constant) {
    volatile char *volatile text = (volatile char *)"constant";
    text[0] = 'C';
    return 0;
}

/* expect: verified
 * executions: 1
 * Closing every descriptor, also those of the tool, if it has any here: the answer must still come. */
PROGRAM(bad_close_all) {
    for (int i = 0; i < 1024; i++) {
        close(i);
    }
    return 0;
}

/* expect: bug assertion
 * And a finding after that. */
PROGRAM(bad_close_all_then_abort) {
    for (int i = 0; i < 1024; i++) {
        close(i);
    }
    abort();
}

/* expect: bug data-race
 * And one by threads. */
PROGRAM(bad_close_all_then_race) {
    for (int i = 3; i < 1024; i++) {
        close(i);
    }
    pthread_t thread = spawn(endless_thread, NULL);
    data = 1;
    join(thread);
    return 0;
}

/* expect: verified
 * executions: 1
 * Writing where nothing may be written: the calls fail, and no more. */
PROGRAM(bad_writes_to_any_descriptor) {
    for (int i = 3; i < 64; i++) {
        if (write(i, "garbage", 7) != 7) {
            errno = 0;
        }
    }
    return 0;
}

/* expect: verified
 * executions: 1
 * A megabyte of output. */
PROGRAM(bad_much_output) {
    for (int i = 0; i < 16384; i++) {
        printf("%63d\n", i);
        fprintf(stderr, "%63d\n", i);
    }
    return 0;
}

/* expect: verified
 * executions: 1
 * Escape characters in the output. */
PROGRAM(bad_escapes) {
    printf("\033[2J\033]0;title\007heddle: bug: 1 finding\n");
    return 0;
}

/* expect: verified
 * executions: 1
 * malloc of more than there is gives NULL. */
PROGRAM(bad_huge_allocations) {
    volatile size_t size = (size_t)1 << 40;
    for (int i = 0; i < 10; i++) {
        char *volatile block = malloc(size);
        assert(block == NULL && errno == ENOMEM);
    }
    return 0;
}

/* expect: bug crash
 * Using the NULL of such a malloc. */
PROGRAM(bad_unchecked_allocation) {
    volatile size_t size = (size_t)1 << 45;
    volatile char *volatile block = malloc(size);
    block[0] = 1;
    return 0;
}

/* expect: verified
 * executions: 1
 * Allocating without an end, one megabyte after the other, until there is no more (--memory). */
PROGRAM(bad_allocates_all) {
    int count = 0;
    while (malloc(1 << 20) != NULL) {
        count++;
    }
    assert(count > 100 && count <= 1024);
    return 0;
}

THREAD(make_another) {
    int depth = *(int *)argument;
    if (depth > 0) {
        int next = depth - 1;
        join(spawn(make_another, &next));
    }
    return NULL;
}

/* expect: verified
 * executions: 1
 * Threads that make threads, 100 deep. */
PROGRAM(bad_deep_creation) {
    int depth = 100;
    join(spawn(make_another, &depth));
    return 0;
}

/* expect: unsupported
 * documented: More than 1000 tasks in all executions together
 * Too many threads. */
PROGRAM(bad_many_threads) {
    int none = 0;
    for (int i = 0; i < 2000; i++) {
        join(spawn(make_another, &none));
    }
    return 0;
}

static atomic_int storms;

static void count_storm(int number) {
    (void)number;
    storms++;
}

/* expect: verified
 * executions: 1
 * A storm of signals to itself. */
PROGRAM(bad_signal_storm) {
    install(SIGUSR1, count_storm);
    for (int i = 0; i < 1000; i++) {
        raise(SIGUSR1);
    }
    assert(storms == 1000);
    return 0;
}

static void raise_again(int number) {
    raise(number);
}

/* expect: bug crash
 * options: --step-timeout=1s
 * A handler that raises its own signal without end, with SA_NODEFER: the stack ends. */
PROGRAM(bad_signal_recursion) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = raise_again;
    action.sa_flags = SA_NODEFER;
    OK(sigaction(SIGUSR1, &action, NULL));
    raise(SIGUSR1);
    return 0;
}

/* expect: verified
 * executions: 1
 * The environment emptied and changed. */
PROGRAM(bad_environment) {
    OK(clearenv());
    OK(setenv("HEDDLE_OPTIONS", "strategy=nonsense", 1));
    OK(setenv("LD_PRELOAD", "/nowhere.so", 1));
    environ = NULL;
    assert(getenv("PATH") == NULL);
    return 0;
}

/* expect: bug assertion
 * And a finding after that, which must come again. */
PROGRAM(bad_environment_then_abort) {
    environ = NULL;
    abort();
}

/* expect: verified
 * executions: 1
 * Another locale. */
PROGRAM(bad_locale) {
    setlocale(LC_ALL, "");
    setlocale(LC_ALL, "C.UTF-8");
    setlocale(LC_ALL, "no such locale");
    return 0;
}

/* expect: verified
 * executions: 1
 * documented: `chdir`
 * Another directory: the result still lies where it was asked for. */
PROGRAM(bad_chdir) {
    OK(chdir("/"));
    pthread_t thread = spawn(make_another, &data);
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    join(thread);
    return 0;
}

/* expect: unsupported
 * documented: Processes: `fork`, `vfork`, `clone`, `exec*`
 * fork beside threads. */
PROGRAM(bad_fork) {
    pthread_t thread = spawn(make_another, &data);
    if (fork() == 0) {
        _exit(0);
    }
    join(thread);
    return 0;
}

/* expect: unsupported
 * documented: Processes: `fork`, `vfork`, `clone`, `exec*`
 * Another program in its place. */
PROGRAM(bad_exec) {
    execl("/bin/true", "true", (char *)NULL);
    return 0;
}

/* expect: unsupported
 * documented: `posix_spawn*`, `system`, `popen`
 * A command. */
PROGRAM(bad_system) {
    return system("true");
}

/* expect: unsupported
 * documented: signals to other processes
 * A signal to its parent, which is the tool. */
PROGRAM(bad_kill_of_the_parent) {
    kill(getppid(), SIGKILL);
    return 0;
}

/* expect: bug assertion
 * abort by a handler of exit. */
PROGRAM(bad_abort_in_atexit) {
    OK(atexit(abort));
    exit(0);
}

static void exit_again(void) {
    exit(3);
}

/* expect: bug nonzero-exit
 * exit within exit is undefined; glibc goes on with the other handlers and the new status. */
PROGRAM(bad_exit_in_atexit) {
    OK(atexit(exit_again));
    return 0;
}

static pthread_key_t key;

static void exit_by_destructor(void *value) {
    (void)value;
    exit(4);
}

THREAD(set_key) {
    OK(pthread_setspecific(key, &data));
    return NULL;
}

/* expect: bug nonzero-exit
 * exit by the destructor of a key. */
PROGRAM(bad_exit_in_a_destructor) {
    OK(pthread_key_create(&key, exit_by_destructor));
    join(spawn(set_key, NULL));
    return 0;
}

/* expect: verified
 * executions: 1
 * longjmp within one thread, over frames with locks. */
PROGRAM(bad_longjmp) {
    static jmp_buf place;
    if (setjmp(place) == 0) {
        longjmp(place, 1);
    }
    return 0;
}

static jmp_buf foreign;

THREAD(jump_to_main) {
    longjmp(foreign, 1);
    return NULL;
}

/* expect: bug crash
 * longjmp to a frame of another thread is undefined. Whatever comes of it, the tool survives. */
PROGRAM(bad_longjmp_between_threads) {
    if (setjmp(foreign) == 0) {
        join(spawn(jump_to_main, NULL));
    }
    return 0;
}

/* expect: bug heap-misuse
 * A map used after munmap. */
PROGRAM(bad_use_after_munmap) {
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    map[0] = 1;
    OK(munmap(map, 4096));
    *(volatile char *)map = 2;
    return 0;
}

/* expect: verified
 * executions: 1
 * Signals ignored and blocked, all that there are. */
PROGRAM(bad_all_signals_ignored) {
    sigset_t all;
    for (int i = 1; i < 32; i++) {
        signal(i, SIG_IGN);
    }
    sigfillset(&all);
    OK(pthread_sigmask(SIG_BLOCK, &all, NULL));
    pthread_t thread = spawn(make_another, &data);
    join(thread);
    return 0;
}

/* expect: bug divergence
 * options: --step-timeout=500ms
 * And an endless loop after that: the tool must be able to end it. */
PROGRAM(bad_all_signals_ignored_endless) {
    sigset_t all;
    sigfillset(&all);
    OK(pthread_sigmask(SIG_BLOCK, &all, NULL));
    for (int i = 1; i < 32; i++) {
        signal(i, SIG_IGN);
    }
    for (;;) {
        __asm__ volatile("");
    }
    return 0;
}

/* expect: verified
 * executions: 1
 * Limits of its own: no files, no core. */
PROGRAM(bad_limits) {
    struct rlimit none = {0, 0};
    OK(setrlimit(RLIMIT_NOFILE, &none));
    OK(setrlimit(RLIMIT_FSIZE, &none));
    OK(setrlimit(RLIMIT_CORE, &none));
    return 0;
}

/* expect: bug assertion
 * And a finding behind them. */
PROGRAM(bad_limits_then_abort) {
    struct rlimit none = {0, 0};
    OK(setrlimit(RLIMIT_NOFILE, &none));
    abort();
}

/* expect: verified
 * executions: 1
 * All of what /proc tells of itself, read. */
PROGRAM(bad_reads_proc) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int lines = 0;
    assert(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        lines++;
    }
    fclose(maps);
    assert(lines > 3);
    return 0;
}

/* expect: bug heap-misuse
 * A stream closed twice: its block is freed twice. */
PROGRAM(bad_double_fclose) {
    FILE *volatile file = fopen("/dev/null", "r");
    fclose(file);
    fclose(file);
    return 0;
}

/* expect: bug nonzero-exit
 * A status above 255 is cut to 8 bits: 256 + 7. */
PROGRAM(bad_large_status) {
    exit(263);
}

/* expect: verified
 * executions: 1
 * And 256 is 0. */
PROGRAM(bad_status_that_is_zero) {
    exit(256);
}

/* expect: unsupported
 * documented: `alarm` with one
 * A timer that would come later. */
PROGRAM(bad_alarm) {
    install(SIGALRM, count_storm);
    alarm(1);
    pause();
    return 0;
}

THREAD(end_program) {
    atomic_store(&flag, 1);
    _exit(0);
}

/* expect: verified
 * _exit by a thread, while main is anywhere. */
PROGRAM(bad_exit_by_a_thread) {
    pthread_t thread = spawn(end_program, NULL);
    for (int i = 0; i < 3; i++) {
        OK(pthread_mutex_lock(&mutex));
        OK(pthread_mutex_unlock(&mutex));
    }
    join(thread);
    return 0;
}

/* expect: bug livelock
 * main spins for a thread that ended. */
PROGRAM(bad_spins_for_ever) {
    join(spawn(make_another, &data));
    while (!atomic_load(&flag)) {
    }
    return 0;
}
