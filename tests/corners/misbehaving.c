/* misbehaving.c - programs that do what no test should do. The tool must still end with a true
 * verdict line and exit code. */
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

/* Each frame needs the one above it, so that no compiler turns the recursion into a loop. */
__attribute__((noinline)) static int recurse(const volatile char *above) {
    volatile char room[1024];
    room[0] = above != NULL ? above[0] : 1;
    return room[0] ? recurse(room) + room[0] : 0;
}

/* expect: bug crash
 * Endless recursion overflows the stack. */
PROGRAM(bad_recursion) {
    return recurse(NULL) == 77;
}

THREAD(recurse_in_thread) {
    return recurse(NULL) == 77 ? argument : NULL;
}

/* expect: bug crash
 * Endless recursion overflows the stack of a thread. */
PROGRAM(bad_recursion_in_a_thread) {
    join(spawn(recurse_in_thread, NULL));
    return 0;
}

/* expect: bug divergence
 * options: --step-timeout=500ms
 * The loop has no operation, so it never comes back to the tool. */
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
 * SIGKILL ends the program. */
PROGRAM(bad_sigkill) {
    raise(SIGKILL);
    return 0;
}

/* expect: bug crash
 * SIGTERM has no handler and ends the program. */
PROGRAM(bad_sigterm) {
    kill(getpid(), SIGTERM);
    return 0;
}

/* expect: bug crash
 * The program sends SIGINT to itself. This is not the user's Ctrl-C. */
PROGRAM(bad_sigint) {
    raise(SIGINT);
    return 0;
}

/* expect: bug crash
 * The program executes a trap instruction. */
PROGRAM(bad_trap) {
    __builtin_trap();
}

/* expect: bug crash
 * The program calls a null pointer. */
PROGRAM(bad_null_call) {
    int (*volatile function)(void) = NULL;
    return function();
}

/* expect: bug crash
 * The program writes to constant memory. */
PROGRAM(bad_write_to_constant) {
    volatile char *volatile text = (volatile char *)"constant";
    text[0] = 'C';
    return 0;
}

/* expect: verified
 * executions: 1
 * The program closes every descriptor, also those of the tool if there are any. The answer must
 * still come. */
PROGRAM(bad_close_all) {
    for (int i = 0; i < 1024; i++) {
        close(i);
    }
    return 0;
}

/* expect: bug assertion
 * The program closes every descriptor, then aborts. The finding must be reported. */
PROGRAM(bad_close_all_then_abort) {
    for (int i = 0; i < 1024; i++) {
        close(i);
    }
    abort();
}

/* expect: bug data-race
 * The program closes every descriptor but the standard ones, then two threads race. The finding
 * must be reported. */
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
 * The program writes to descriptors that it has not opened. The calls fail, and nothing else
 * happens. */
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
 * The program writes a megabyte to each of stdout and stderr. */
PROGRAM(bad_much_output) {
    for (int i = 0; i < 16384; i++) {
        printf("%63d\n", i);
        fprintf(stderr, "%63d\n", i);
    }
    return 0;
}

/* expect: verified
 * executions: 1
 * The output contains escape characters and a line that looks like a verdict. */
PROGRAM(bad_escapes) {
    printf("\033[2J\033]0;title\007heddle: bug: 1 finding\n");
    return 0;
}

/* expect: verified
 * executions: 1
 * malloc of more memory than there is returns NULL. */
PROGRAM(bad_huge_allocations) {
    volatile size_t size = (size_t)1 << 40;
    for (int i = 0; i < 10; i++) {
        char *volatile block = malloc(size);
        assert(block == NULL && errno == ENOMEM);
    }
    return 0;
}

/* expect: bug crash
 * The program writes through the NULL that such a malloc returns. */
PROGRAM(bad_unchecked_allocation) {
    volatile size_t size = (size_t)1 << 45;
    volatile char *volatile block = malloc(size);
    block[0] = 1;
    return 0;
}

/* expect: verified
 * executions: 1
 * The program allocates one megabyte after the other until there is no more memory (--memory). */
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
 * Each thread creates the next, 100 deep. */
PROGRAM(bad_deep_creation) {
    int depth = 100;
    join(spawn(make_another, &depth));
    return 0;
}

/* expect: unsupported
 * documented: More than 1000 tasks in all executions together
 * The program creates more threads than the tool supports. */
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
 * The program sends 1000 signals to itself. */
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
 * A handler with SA_NODEFER raises its own signal without end, so the stack overflows. */
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
 * The program empties and changes its environment. */
PROGRAM(bad_environment) {
    OK(clearenv());
    OK(setenv("HEDDLE_OPTIONS", "strategy=nonsense", 1));
    OK(setenv("LD_PRELOAD", "/nowhere.so", 1));
    environ = NULL;
    assert(getenv("PATH") == NULL);
    return 0;
}

/* expect: bug assertion
 * The program removes its environment, then aborts. The finding must be repeatable. */
PROGRAM(bad_environment_then_abort) {
    environ = NULL;
    abort();
}

/* expect: verified
 * executions: 1
 * The program changes its locale. */
PROGRAM(bad_locale) {
    setlocale(LC_ALL, "");
    setlocale(LC_ALL, "C.UTF-8");
    setlocale(LC_ALL, "no such locale");
    return 0;
}

/* expect: verified
 * executions: 1
 * documented: `chdir`
 * The program changes its directory. The result must still be written where the user asked for
 * it. */
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
 * The program calls fork while a second thread exists. */
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
 * The program replaces itself by another program. */
PROGRAM(bad_exec) {
    execl("/bin/true", "true", (char *)NULL);
    return 0;
}

/* expect: unsupported
 * documented: `posix_spawn*`, `system`, `popen`
 * The program runs a shell command. */
PROGRAM(bad_system) {
    return system("true");
}

/* expect: unsupported
 * documented: signals to other processes
 * The program sends a signal to its parent, which is the tool. */
PROGRAM(bad_kill_of_the_parent) {
    kill(getppid(), SIGKILL);
    return 0;
}

/* expect: bug assertion
 * A handler of exit aborts. */
PROGRAM(bad_abort_in_atexit) {
    OK(atexit(abort));
    exit(0);
}

static void exit_again(void) {
    exit(3);
}

/* expect: bug nonzero-exit
 * A call of exit within exit is undefined. glibc goes on with the other handlers and the new
 * status. */
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
 * The destructor of a key calls exit. */
PROGRAM(bad_exit_in_a_destructor) {
    OK(pthread_key_create(&key, exit_by_destructor));
    join(spawn(set_key, NULL));
    return 0;
}

/* expect: verified
 * executions: 1
 * longjmp within one thread is allowed. */
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
 * longjmp to a frame of another thread is undefined. The tool must survive it. */
PROGRAM(bad_longjmp_between_threads) {
    if (setjmp(foreign) == 0) {
        join(spawn(jump_to_main, NULL));
    }
    return 0;
}

/* expect: bug heap-misuse
 * The program writes to memory after munmap. */
PROGRAM(bad_use_after_munmap) {
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    map[0] = 1;
    OK(munmap(map, 4096));
    *(volatile char *)map = 2;
    return 0;
}

/* expect: verified
 * executions: 1
 * The program ignores and blocks all signals. */
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
 * The program ignores and blocks all signals, then loops without end. The tool must be able to
 * end it. */
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
 * The program sets its own limits to 0: open files, file size, core size. */
PROGRAM(bad_limits) {
    struct rlimit none = {0, 0};
    OK(setrlimit(RLIMIT_NOFILE, &none));
    OK(setrlimit(RLIMIT_FSIZE, &none));
    OK(setrlimit(RLIMIT_CORE, &none));
    return 0;
}

/* expect: bug assertion
 * The program forbids itself to open files, then aborts. The finding must be reported. */
PROGRAM(bad_limits_then_abort) {
    struct rlimit none = {0, 0};
    OK(setrlimit(RLIMIT_NOFILE, &none));
    abort();
}

/* expect: verified
 * executions: 1
 * The program reads its own memory map from /proc. */
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
 * The program closes a stream twice, so the block of the stream is freed twice. */
PROGRAM(bad_double_fclose) {
    FILE *volatile file = fopen("/dev/null", "r");
    fclose(file);
    fclose(file);
    return 0;
}

/* expect: bug nonzero-exit
 * An exit status is cut to 8 bits: 263 = 256 + 7 becomes 7. */
PROGRAM(bad_large_status) {
    exit(263);
}

/* expect: verified
 * executions: 1
 * An exit status is cut to 8 bits: 256 becomes 0. */
PROGRAM(bad_status_that_is_zero) {
    exit(256);
}

/* expect: unsupported
 * documented: `alarm` with one
 * The program sets a timer whose signal would come later. */
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
 * A thread calls _exit while main is at any place. */
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
 * main spins for a flag, and the only other thread has ended. */
PROGRAM(bad_spins_for_ever) {
    join(spawn(make_another, &data));
    while (!atomic_load(&flag)) {
    }
    return 0;
}
