#!/bin/sh
# How threads end: return, pthread_exit, cancellation, and what runs then. Also what belongs to one
# thread: keys, thread-local variables, its clock, its random numbers. Each program asserts what
# must hold in every execution, and the verdict says whether it did.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
optimisations="-O0 -O2"
command -v clang++ >/dev/null && clang=yes || clang=no

# compile COMPILER SOURCE FLAGS...: compiles with `heddle cc` or `heddle c++` to ./t.
compile() {
    compiler=$1 source=$2
    shift 2
    HEDDLE_CC=$compiler HEDDLE_CXX=$compiler
    export HEDDLE_CC HEDDLE_CXX
    case $source in
    *.cpp) "$HEDDLE" c++ -std=c++17 "$@" -o t "$source" ;;
    *) "$HEDDLE" cc "$@" -o t "$source" ;;
    esac
}

# run NAME CODE TEXT OPTIONS...: checks the exit code, and that the report contains TEXT. The same
# must hold with --isolate=fork.
run() {
    explore "$@" --isolate=fork
    explore "$@"
}

explore() {
    name=$1 code=$2 text=$3
    shift 3
    timeout 600 "$HEDDLE" run "$@" ./t >out.txt 2>&1
    status=$?
    [ $status -eq "$code" ] || fail "$name: ended with $status, not $code: $(cat out.txt)"
    tr -s "\n " " " <out.txt | grep -q -e "$text" || fail "$name: does not say '$text'"
}

# check NAME.c CODE TEXT OPTIONS...: compiles the program on standard input with every compiler and
# level, and runs it.
check() {
    file=$1
    shift
    cat >"$file"
    for level in $optimisations; do
        compile "" "$file" $level || { fail "$file $level does not compile"; continue; }
        run "$file $level" "$@"
    done
    if [ $clang = yes ]; then
        case $file in *.cpp) other=clang++ ;; *) other=clang ;; esac
        compile $other "$file" -O2 || { fail "$file with $other does not compile"; return; }
        run "$file $other" "$@"
    fi
}

# --- pthread_exit ------------------------------------------------------------------------------

check exit_nested.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
static int order[8], count;
static void handler(void *arg) { order[count++] = (int)(long)arg; }
static void inner(void) {
    pthread_cleanup_push(handler, (void *)3L);
    pthread_cleanup_push(handler, (void *)2L);
    pthread_exit((void *)7L);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}
static void middle(void) { inner(); order[count++] = 100; }
static void *worker(void *arg) {
    (void)arg;
    pthread_cleanup_push(handler, (void *)4L);
    pthread_cleanup_push(handler, (void *)1L);
    pthread_cleanup_pop(1);
    middle();
    pthread_cleanup_pop(0);
    return 0;
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert(result == (void *)7L);
    assert(count == 4);
    for (int i = 0; i < 4; i++) assert(order[i] == i + 1);
    return 0;
}
END

# Cleanup handlers with operations, in a thread that ends while another one moves.
check exit_handler_operations.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void unlock(void *arg) { value++; pthread_mutex_unlock(arg); }
static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    if (arg) pthread_exit(arg);
    pthread_cleanup_pop(1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, &value);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 2);
    return 0;
}
END

check exit_destructors.cpp 0 verified <<'END'
#include <cassert>
#include <pthread.h>
#include <string>
static std::string order;
struct trace { char c; ~trace() { order += c; } };
static void push(void *arg) { order += *static_cast<const char *>(arg); }
static void inner() {
    trace a{'1'};
    pthread_cleanup_push(push, const_cast<char *>("0"));
    std::string long_one(100, 'x');
    pthread_exit(nullptr);
    pthread_cleanup_pop(0);
}
static void middle() {
    trace b{'3'};
    try { inner(); } catch (...) { order += '2'; throw; }
}
static thread_local trace at_end{'5'};
static void *worker(void *) { at_end.c = '5'; trace c{'4'}; middle(); return nullptr; }
int main() {
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_join(t, nullptr);
    assert(order == "012345");
    return 0;
}
END

check exit_swallowed.cpp 1 'caught and not rethrown' <<'END'
#include <pthread.h>
static void *worker(void *) {
    try { pthread_exit(nullptr); } catch (...) { }
    return nullptr;
}
int main() {
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_join(t, nullptr);
    return 0;
}
END

# main ends and the process goes on. The last thread to end also ends the process, with status 0 and
# its handlers.
check exit_main.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int done;
static void *worker(void *arg) { (void)arg; done = 1; return (void *)5L; }
static void at_end(void) { if (!done) abort(); }
int main(void) {
    pthread_t t;
    atexit(at_end);
    pthread_create(&t, 0, worker, 0);
    pthread_exit((void *)3L);
}
END

check exit_main_joined.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_t first;
static void *worker(void *arg) {
    void *result;
    (void)arg;
    pthread_join(first, &result);
    if (result != (void *)3L) abort();
    return 0;
}
int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_exit((void *)3L);
}
END

check leaked_mutex.c 1 'ends holding a mutex' <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) { pthread_mutex_lock(&mutex); return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
END

check leaked_read_lock.c 1 'ends holding a read lock' <<'END'
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *worker(void *arg) { pthread_rwlock_rdlock(&lock); pthread_exit(arg); }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
END

# --- cancellation ------------------------------------------------------------------------------

# Every call in which a thread can be blocked for ever and cancelled. The joiner sees the
# cancellation, and the handler has run. After a condition wait, the handler held the mutex.
for place in 'pthread_cond_wait(\&cond, \&mutex);' 'pthread_join(main_thread, 0);' 'sem_wait(\&sem);' \
             'for (;;) sleep(1);' 'for (;;) pthread_testcancel();' \
             'for (;;) { struct timespec t = {1, 0}; nanosleep(\&t, 0); }'; do
    sed "s/PLACE/$place/" >cancel.txt <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static pthread_t main_thread;
static int cleaned;
static void handler(void *arg) { (void)arg; cleaned++; pthread_mutex_unlock(&mutex); }
static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(handler, 0);
    PLACE
    pthread_cleanup_pop(0);
    return arg;
}
int main(void) {
    pthread_t t;
    void *result;
    main_thread = pthread_self();
    sem_init(&sem, 0, 0);
    pthread_create(&t, 0, worker, 0);
    assert(pthread_cancel(t) == 0);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(cleaned == 1);
    assert(pthread_mutex_trylock(&mutex) == 0);
    (void)cond;
    return 0;
}
END
    check cancel.c 0 verified <cancel.txt
done

# The race between a post and a cancellation has exactly two outcomes.
check cancel_race.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t sem;
static void *worker(void *arg) { sem_wait(&sem); return arg; }
int main(void) {
    pthread_t t;
    void *result;
    int value;
    sem_init(&sem, 0, 1);
    pthread_create(&t, 0, worker, &sem);
    pthread_cancel(t);
    pthread_join(t, &result);
    sem_getvalue(&sem, &value);
    assert(result == PTHREAD_CANCELED ? value == 1 : result == &sem && value == 0);
    return 0;
}
END
[ "$(grep -c 'all 2 executions' out.txt)" -eq 1 ] || fail "cancel_race: not 2 executions: $(cat out.txt)"

# While cancellation is disabled, the thread cannot be cancelled.
check cancel_disabled_first.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
static sem_t ready;
static int passed;
static void *worker(void *arg) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_post(&ready);
    sleep(1);
    passed = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    for (;;) pthread_testcancel();
    return arg;
}
int main(void) {
    pthread_t t;
    void *result;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&ready);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && passed);
    return 0;
}
END

check cancel_asynchronous.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    pthread_mutex_lock(&mutex);
    return arg;
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_unlock(&mutex);
    return 0;
}
END

check cancel_joined.c 1 'cancel of a thread that was joined' <<'END'
#include <pthread.h>
static void *worker(void *arg) { return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_cancel(t);
    return 0;
}
END

check cancel_lost.c 1 'livelock' <<'END'
#include <pthread.h>
static void *worker(void *arg) { for (;;) pthread_testcancel(); return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
END

check cancel_cxx.cpp 0 verified <<'END'
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
static std::mutex mutex;
static pthread_mutex_t raw = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int destroyed;
struct guard { guard() { pthread_mutex_lock(&raw); } ~guard() { destroyed++; pthread_mutex_unlock(&raw); } };
static void *worker(void *) {
    guard g;
    for (;;) pthread_cond_wait(&cond, &raw);
}
int main() {
    pthread_t t;
    void *result;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && destroyed == 1);
    return 0;
}
END

# --- the end as a step of its own ----------------------------------------------------------------

# A tryjoin between the last operation and the end of a thread fails. Here the last operation is in
# a C++ destructor.
check end_thread_local.cpp 1 'assertion failed' <<'END'
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>
static std::atomic<int> destroyed;
struct noisy { int value = 0; ~noisy() { destroyed = 1; } };
static thread_local noisy local;
int main() {
    std::thread *t = new std::thread([] { local.value = 1; }); /* never destroyed, because it is not joined */
    while (!destroyed) { }
    assert(pthread_tryjoin_np(t->native_handle(), nullptr) == 0);
    return 0;
}
END

# A loop of tryjoin comes to the end of the thread, and the thread's writes happen before it.
check end_polled.c 0 verified <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static int value;
static void *worker(void *arg) { value = 7; return arg; }
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, &value);
    while (pthread_tryjoin_np(t, &result) != 0) { }
    assert(value == 7 && result == &value);
    return 0;
}
END

# The thread never ends, so a loop that polls for its end is a livelock.
check end_never.c 1 'livelock' <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
static sem_t sem;
static void *worker(void *arg) { sem_wait(&sem); return arg; }
int main(void) {
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, 0, worker, 0);
    while (pthread_tryjoin_np(t, 0) != 0) { }
    return 0;
}
END

# Two threads that stand before their ends do not block each other. The last one ends the process
# with its handlers, while the other may still be there.
check end_last.c 0 verified <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static pthread_t first;
static int handled;
static void at_end(void) { handled = 1; if (pthread_kill(first, 0) != 0) abort(); }
static void *worker(void *arg) {
    int error = pthread_tryjoin_np(first, 0);
    if (error != 0 && error != EBUSY) abort();
    if (error == 0) first = pthread_self();
    return arg;
}
int main(void) {
    pthread_t t;
    atexit(at_end);
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
END

check kill_joined.c 1 'pthread_kill of a thread that was joined' <<'END'
#include <pthread.h>
#include <signal.h>
static void *worker(void *arg) { return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_kill(t, 0);
    return 0;
}
END

# A detached thread may be named until it ends. Here it may have ended already.
check kill_detached.c 1 'pthread_kill of a thread that was detached and has ended' <<'END'
#include <pthread.h>
#include <signal.h>
static void *worker(void *arg) { return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_kill(t, 0);
    return 0;
}
END

# One thread joins a thread that another one detaches. The second of the two calls is wrong.
check detach_joined.c 1 'of a thread that was' <<'END'
#include <pthread.h>
static pthread_t t;
static void *worker(void *arg) { return arg; }
static void *detacher(void *arg) { pthread_detach(t); return arg; }
int main(void) {
    pthread_t other;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&other, 0, detacher, 0);
    pthread_join(t, 0);
    pthread_join(other, 0);
    return 0;
}
END

# --- robust mutexes ------------------------------------------------------------------------------

# The robust mutexes that a thread still holds at its end are released from the last to the first.
# So a task that gets the first of them gets the second too.
check robust_order.c 0 verified <<'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t a, b;
static void *worker(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&a, &robust);
    pthread_mutex_init(&b, &robust);
    pthread_create(&t, 0, worker, 0);
    if (pthread_mutex_trylock(&b) == EOWNERDEAD) assert(pthread_mutex_trylock(&a) == EOWNERDEAD);
    return 0;
}
END

# A wait on a condition variable reports what happened to the mutex. Only its owner may unlock it.
check robust_wait.c 0 verified <<'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&cond);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, worker, 0);
    assert(pthread_cond_wait(&cond, &mutex) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
END

# A finding in a program that sees the ends of threads is repeated, minimised, and followed in a
# corpus.
cat >moment.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *worker(void *arg) { done = 1; return arg; }
int main(void) {
    pthread_t t, u;
    pthread_create(&u, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(u, 0);
    assert(pthread_tryjoin_np(t, 0) == 0 || !done);
    return 0;
}
END
compile "" moment.c -O1 || fail "moment.c does not compile"
mkdir -p corpus
for options in --strategy=dfs "--minimise=on --corpus=corpus" --corpus=corpus; do
    explore "moment $options" 1 'tryjoin T2 (worker): failed' $options --trace=moment.trace
    "$HEDDLE" replay moment.trace >replayed.txt 2>&1
    [ $? -eq 1 ] || fail "moment $options: not repeated: $(cat replayed.txt)"
done
"$HEDDLE" estimate -q --max-executions=50 ./t >out.txt 2>&1
grep -q 'about [1-9]' out.txt || fail "moment: not estimated: $(cat out.txt)"

# --- keys and thread-locals --------------------------------------------------------------------

check keys.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t a, b, early;
static int runs_a[2], runs_b[2], runs_early;
struct value { int thread, rounds; };
static void destroy_a(void *arg) { /* sets the value again in each round */
    struct value *value = arg;
    runs_a[value->thread]++;
    if (--value->rounds > 0) pthread_setspecific(a, value);
}
static void destroy_b(void *arg) { runs_b[((struct value *)arg)->thread]++; }
static void destroy_early(void *arg) { runs_early += *(int *)arg; }
__attribute__((constructor)) static void before_main(void) { pthread_key_create(&early, destroy_early); }
static struct value values[2] = {{0, 3}, {1, 9}};
static int one = 1;
static void *worker(void *arg) {
    struct value *value = arg;
    assert(pthread_getspecific(a) == 0);
    assert(pthread_getspecific(early) == 0);
    pthread_setspecific(a, value);
    pthread_setspecific(b, value);
    if (value->thread == 0) pthread_setspecific(early, &one);
    assert(pthread_getspecific(a) == value);
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_key_t c;
    pthread_key_create(&a, destroy_a);
    pthread_key_create(&b, destroy_b);
    pthread_setspecific(early, &values);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &values[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(runs_a[0] == 3 && runs_a[1] == 4); /* no more than four rounds */
    assert(runs_b[0] == 1 && runs_b[1] == 1 && runs_early == 1);
    assert(pthread_getspecific(early) == &values);
    assert(pthread_key_delete(a) == 0 && pthread_key_delete(a) != 0);
    assert(pthread_key_create(&c, 0) == 0 && pthread_getspecific(c) == 0);
    return 0;
}
END

check thread_locals.cpp 0 verified <<'END'
#include <cassert>
#include <string>
#include <thread>
static std::string order[2];
struct noisy {
    int thread = -1; char c;
    explicit noisy(char c) : c(c) {}
    ~noisy() { if (thread >= 0) order[thread] += c; }
};
static thread_local noisy first{'a'}, second{'b'};
static noisy &inner() { static thread_local noisy third{'c'}; return third; }
static void worker(int i) {
    first.thread = i;
    second.thread = i;
    inner().thread = i;
    try { throw std::string(50, 'e'); } catch (const std::string &e) { assert(e.size() == 50); }
}
int main() {
    std::thread t(worker, 0), u(worker, 1);
    t.join();
    u.join();
    assert(order[0] == "cba" && order[1] == "cba");
    return 0;
}
END

# exit() destroys the thread-local objects of its caller, then the static ones.
check exit_thread_locals.cpp 1 'the program exits with status 3' <<'END'
#include <unistd.h>
static int seen;
struct noisy { int weight; ~noisy() { seen = 10 * seen + weight; } };
struct last { ~last() { _exit(seen == 1 ? 3 : 4); } };
static last at_end;
static thread_local noisy local{0};
int main() { local.weight = 1; return 0; }
END

# --- attributes --------------------------------------------------------------------------------

check attributes.c 0 verified <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
static void *worker(void *arg) {
    pthread_attr_t attr;
    void *low;
    size_t size;
    char name[16];
    int here;
    sigset_t set, before;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &low, &size);
    assert((char *)&here > (char *)low && (char *)&here < (char *)low + size);
    pthread_attr_destroy(&attr);
    pthread_setname_np(pthread_self(), "worker");
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "worker") == 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    assert(!sigismember(&before, SIGUSR1));
    pthread_sigmask(SIG_SETMASK, 0, &before);
    assert(sigismember(&before, SIGUSR1) && !sigismember(&before, SIGUSR2));
    return arg;
}
int main(void) {
    pthread_t t;
    sigset_t set;
    struct sched_param how = {0};
    pthread_create(&t, 0, worker, 0);
    assert(pthread_kill(t, 0) == 0);
    pthread_setschedparam(t, SCHED_OTHER, &how);
    pthread_join(t, 0);
    pthread_sigmask(SIG_SETMASK, 0, &set);
    assert(!sigismember(&set, SIGUSR1));
    return 0;
}
END

# The name of a thread is the file name of the program, cut to 15 characters by the kernel, until
# the thread gets another name.
cat >long_name.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
static void *worker(void *arg) {
    char name[16];
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "a_program_whose") == 0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
END
compile "" long_name.c -O2 || fail "long_name.c does not compile"
mv t a_program_whose_name_is_of_forty_letters
for isolate in reset fork; do
    "$HEDDLE" run --isolate=$isolate ./a_program_whose_name_is_of_forty_letters >out.txt 2>&1 &&
        grep -q 'verified: ' out.txt || fail "long_name.c: $(cat out.txt)"
done

# --- time and random numbers -------------------------------------------------------------------

check time.c 0 verified <<'END'
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void *worker(void *arg) {
    double start = now();
    sleep(3600);
    assert(now() - start >= 3600);
    return arg;
}
int main(void) {
    pthread_t t;
    struct timespec deadline;
    struct timeval day;
    double start = now();
    int rounds = 0;
    assert(now() - start < 0.001);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(now() - start >= 3600); /* a join takes the later of the two clocks */
    start = now();
    while (now() < start + 5) rounds++; /* each reading moves the clock, so the deadline comes soon */
    assert(rounds < 200);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 10;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, 0);
    assert(time(0) >= deadline.tv_sec);
    gettimeofday(&day, 0);
    assert(day.tv_sec >= deadline.tv_sec && day.tv_sec < deadline.tv_sec + 5);
    return 0;
}
END

check time_cxx.cpp 0 verified <<'END'
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
using namespace std::chrono_literals;
int main() {
    std::mutex mutex;
    std::condition_variable cond;
    bool set = false, seen = false;
    std::thread t([&] {
        std::unique_lock<std::mutex> lock(mutex);
        seen = cond.wait_for(lock, 5s, [&] { return set; });
    });
    std::this_thread::sleep_for(1s);
    { std::lock_guard<std::mutex> lock(mutex); set = true; }
    cond.notify_one();
    t.join();
    auto start = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex);
    assert(!cond.wait_for(lock, 5s, [] { return false; }));
    assert(std::chrono::steady_clock::now() - start >= 5s);
    return 0;
}
END

# The random numbers of a task depend only on the seed, not on which task asks first.
check random.c 0 'all [0-9][0-9]* executions' --strategy=dfs <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
static int got[2][3], (*first)[3]; /* `first` is mapped before main, so it is not reset */
__attribute__((constructor)) static void before_main(void) {
    first = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
static void *worker(void *arg) {
    int *mine = got[(long)arg];
    for (int i = 0; i < 3; i++) { mine[i] = rand(); sched_yield(); }
    return 0;
}
int main(void) {
    pthread_t t[2];
    unsigned char bytes[16] = {0}, none[16] = {0};
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(memcmp(got[0], got[1], sizeof got[0]) != 0);
    if (first[0][0] == 0) memcpy(first, got, sizeof got);
    assert(memcmp(first, got, sizeof got) == 0);
    srand(5);
    int a = rand(), b = rand();
    srand(5);
    assert(rand() == a && rand() == b && a != b && a >= 0);
    assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes && memcmp(bytes, none, 16) != 0);
    double d = drand48();
    assert(d >= 0 && d < 1 && lrand48() >= 0 && random() >= 0);
    return 0;
}
END

# A join that is cut short by a cancellation is repeated as such, under every strategy.
cat >cut_join.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared;
static void *add(void *nothing) {
    shared++;
    return nothing;
}
static void *join(void *nothing) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    shared++;
    pthread_join(thread, NULL);
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, join, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
END
compile "" cut_join.c -O1 || fail "cut_join.c does not compile"
for strategy in optimal source classic observers persistent dfs; do
    run "cut_join $strategy" 0 verified --strategy=$strategy
    run "cut_join $strategy" 0 verified --strategy=$strategy --checkpoints=off
done

# A program that fails for some values of rand() must fail in the same way in another process.
cat >random_fails.cpp <<'END'
#include <cstdlib>
#include <random>
#include <thread>
int main() {
    std::thread t([] { if (rand() % 2 == (int)(std::random_device{}() % 2)) abort(); });
    std::thread u([] { if (rand() % 2 == (int)(std::random_device{}() % 2)) abort(); });
    t.join();
    u.join();
    return 0;
}
END
compile "" random_fails.cpp -O1 || fail "random_fails.cpp does not compile"
for seed in 1 2 3 4; do
    for process in one two; do
        "$HEDDLE" run --seed=$seed ./t >out.txt 2>&1
        { echo "exit code $?"; grep '^SUMMARY: \|^heddle: ' out.txt; } >$process.txt
    done
    cmp -s one.txt two.txt || fail "random_fails: seed $seed gives other results in another process"
    case $(head -n 1 one.txt) in *" 0" | *" 1") ;; *) fail "random_fails: $(cat out.txt)" ;; esac
    [ "$(wc -l <one.txt)" -gt 1 ] || fail "random_fails: it says nothing: $(cat out.txt)"
    cat one.txt >>all.txt
done
grep -q 'exit code 1' all.txt || fail "random_fails: no seed makes it fail"

exit $failed
