#!/bin/sh
# test_stacks.sh - call stacks in reports. No caller is missing, even if code that is not instrumented is in between.
# Inlined code has its line. Variables have their names, whichever compiler described them.
. "$SOURCE/tests/cli/cli.sh"

# frames PATTERN: prints the frames of the first stack whose title matches, in one line, without paths.
frames() {
    awk -v title="$1" '/ at:$/ { inside = !done && $0 ~ title; done = done || inside; next }
         inside && /^ *#[0-9]/ { printf "%s ", $0 }
         inside && !/^ *[#|]/ { exit }' out | tr -s ' ' | sed 's,/[^ ]*/,,g'
}

has_frames() {
    [ "$(frames "$1")" = " $2 " ] || fail "not '$2' but '$(frames "$1")' in: $(cat out)"
}

# The thread has not made any operation yet when it races.
cat >deep.c <<'END'
#include <pthread.h>
static int counter;
static void c3(void) { counter++; }
static void c2(void) { c3(); }
static void c1(void) { c2(); }
static void *w(void *x) { c1(); return x; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    c2();
    pthread_join(t, 0);
    return 0;
}
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    runs 0 env HEDDLE_CC=$compiler "$HEDDLE" cc -o deep deep.c
    runs 1 "$HEDDLE" run ./deep
    has_frames '^  [a-z]* of 4 bytes by T1' '#0 c3 deep.c:3 #1 c2 deep.c:4 #2 c1 deep.c:5 #3 w deep.c:6'
    has_frames '^  previous write' '#0 c3 deep.c:3 #1 c2 deep.c:4 #2 main deep.c:10'
done

# The debug information describes the code of a lambda inside the function around it, but the code lies elsewhere.
cat >lambda.cpp <<'END'
#include <assert.h>
#include <pthread.h>
int main() {
    struct local {
        static void check(int value) {
            assert(value == 0);
        }
    };
    auto check = [](int value) {
        local::check(value);
    };
    check(1);
    return 0;
}
END
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ -o lambda lambda.cpp
    runs 1 "$HEDDLE" run ./lambda
    says '#[0-9] .*local::check.* lambda.cpp:6$'
    says '#[0-9] main::[{$][^:]* lambda.cpp:10$'
    says '#[0-9] main lambda.cpp:12$'
    says 'lambda.cpp:6'
done

# A lambda is shown as a function, with or without optimisation; a class that can be called is shown by its own name.
# The task has this name although it has made no operation, and its stack ends there: the frames of std::thread are
# left out.
cat >called.cpp <<'END'
#include <assert.h>
#include <thread>
struct functor {
    void operator()() const {
        assert(false);
    }
};
int main(int argc, char **) {
    if (argc > 1) {
        std::thread(functor{}).join();
        return 0;
    }
    std::thread thread([] {
        auto inner = [](auto value) {
            assert(value == 0);
        };
        inner(1);
    });
    thread.join();
    return 0;
}
END
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for level in -O0 -O2; do
        runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ $level -o called called.cpp
        runs 1 "$HEDDLE" run ./called
        says '^  assertion failed by T1 (main::[{$][^:]*) at:$'
        says '#0 main::[{$][^ ]*::{lambda[^ ]* called.cpp:15$'
        says '#1 main::[{$][^ ]* called.cpp:17$'
        says_not 'operator()'
        says_not '__invoke'
        runs 1 "$HEDDLE" replay called.trace
        runs 1 "$HEDDLE" run ./called functor
        says '^  assertion failed by T1 (functor::operator()) at:$'
        has_frames '^  assertion failed by T1' '#0 functor::operator() called.cpp:5'
    done
done

cat >element.cpp <<'END'
#include <pthread.h>
static int cells[3];
static void *w(void *x) { cells[2]++; return x; }
int main() {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    cells[2]++;
    pthread_join(t, 0);
    return 0;
}
END
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ -o element element.cpp
    runs 1 "$HEDDLE" run ./element
    says 'data race on `cells\[2\]`'
    strip --strip-debug element
    runs 1 "$HEDDLE" run ./element
    says 'data race on `cells+8`'
done

# --- through code that is not instrumented ---

# place TASK: prints where a blocked task waits, in the user's own code.
place() {
    awk -v title="^  $1 .*waits for" '/^  T/ { inside = $0 ~ title }
         inside && /^ *#[0-9]+ .* [a-z]*\.cpp:[0-9]+$/ { print $(NF - 1), $NF; exit }' out
}

waits_at() {
    [ "$(place "$1")" = "$2" ] || fail "$1 waits at '$(place "$1")', not at '$2': $(cat out)"
}

fingerprint() {
    sed -n 's/^Fingerprint: //p' out
}

# The C++ library joins and waits in functions of its own.
cat >waits.cpp <<'END'
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
static std::mutex held, second, third;
static std::condition_variable ready;
static std::once_flag once;
static void waits() {
    std::unique_lock<std::mutex> lock(third);
    ready.wait(lock);
}
static void guards() {
    std::lock_guard<std::mutex> lock(held);
}
static void scopes() {
    std::scoped_lock both(held, second);
}
static void initialises() {
    held.lock();
}
static void calls() {
    std::call_once(once, initialises);
}
static int answers() {
    std::lock_guard<std::mutex> lock(held);
    return 1;
}
static void joins() {
    std::thread(guards).join();
}
int main() {
    held.lock();
    std::thread threads[] = {std::thread(waits), std::thread(guards), std::thread(scopes),
                             std::thread(calls), std::thread(calls),  std::thread(joins)};
    std::future<int> answer = std::async(std::launch::async, answers);
    int result = answer.get();
    for (std::thread &thread : threads)
        thread.join();
    return result;
}
END
# A copy that the library makes: here the library calls memcpy.
cat >copies.cpp <<'END'
#include <string>
#include <thread>
static std::string text(40, 'a'), other(40, 'b');
static void writes() {
    text = other;
}
int main() {
    std::thread thread(writes);
    other = text;
    thread.join();
    return 0;
}
END
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for level in -O0 -O2; do
        runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ -std=c++17 $level -fomit-frame-pointer -o waits waits.cpp
        runs 1 "$HEDDLE" run --minimise=off ./waits
        waits_at 'T0 .main.' 'main waits.cpp:36'
        waits_at 'T1 .waits.' 'waits waits.cpp:10'
        waits_at 'T2 .guards.' 'guards waits.cpp:13'
        waits_at 'T3 .scopes.' 'scopes waits.cpp:16'
        waits_at 'T4 .calls.' 'initialises waits.cpp:19'
        waits_at 'T5 .calls.' 'calls waits.cpp:22'
        waits_at 'T6 .joins.' 'joins waits.cpp:29'
        waits_at 'T7 .answers.' 'answers waits.cpp:25'
        first=$(fingerprint)
        runs 1 "$HEDDLE" run ./waits
        [ -n "$first" ] && [ "$(fingerprint)" = "$first" ] || fail "fingerprint $(fingerprint), not $first"

        runs 0 env HEDDLE_CXX=$compiler "$HEDDLE" c++ $level -fomit-frame-pointer -o copies copies.cpp
        runs 1 "$HEDDLE" run ./copies
        says '#[0-9]* writes copies.cpp:5$'
        says '#[0-9]* main copies.cpp:9$'
    done
done

# A library that is not instrumented stands in between.
cat >plain.c <<'END'
void plain_each(const int *items, int count, void (*visit)(int, int *), int *result) {
    for (int i = 0; i < count; i++)
        visit(items[i], result);
}
int plain_first(const int *items) {
    return items[0];
}
END
cat >user.c <<'END'
#include <pthread.h>
void plain_each(const int *items, int count, void (*visit)(int, int *), int *result);
int plain_first(const int *items);
static const int items[] = {1, 2};
static int total;
static void add(int item, int *result) {
    *result += item;
}
static void *worker(void *unused) {
    plain_each(items, 2, add, &total);
    return unused;
}
static void *crashes(void *unused) {
    pthread_t *none = unused;
    plain_first((const int *)16);
    return none;
}
int main(int argc, char **argv) {
    pthread_t thread;
    (void)argv;
    pthread_create(&thread, 0, argc > 1 ? crashes : worker, 0);
    plain_each(items, argc > 1 ? 0 : 2, add, &total);
    pthread_join(thread, 0);
    return 0;
}
END
link="-L. -lplain -Wl,-rpath,$work"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in -O0 '-O2 -fomit-frame-pointer'; do
        runs 0 $compiler -g $level -shared -fPIC -o libplain.so plain.c
        runs 0 env HEDDLE_CC=$compiler "$HEDDLE" cc $level -o user user.c $link
        runs 1 "$HEDDLE" run ./user
        has_frames '^  [a-z]* of 4 bytes by T1' '#0 add user.c:7 #1 plain_each plain.c:3 #2 worker user.c:10'
        has_frames '^  previous' '#0 add user.c:7 #1 plain_each plain.c:3 #2 main user.c:22'
        runs 1 "$HEDDLE" run ./user crash
        says '#0 plain_first plain.c:6$'
        says '#1 crashes user.c:15$'
    done
    # Without unwind tables the stack comes from the records of calls.
    runs 0 $compiler -g -fno-asynchronous-unwind-tables -fno-unwind-tables -shared -fPIC -o libplain.so plain.c
    runs 1 "$HEDDLE" run ./user
    has_frames '^  [a-z]* of 4 bytes by T1' '#0 add user.c:7 #1 plain_each plain.c:3'
    runs 1 "$HEDDLE" run ./user crash
    says '#0 plain_first plain.c:6$'
done

# A program that is not instrumented at all has no such records.
cat >bare.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take(void) { pthread_mutex_lock(&lock); }
static void twice(void) { take(); take(); }
int main(void) {
    twice();
    return 0;
}
END
runs 0 gcc -g -o bare bare.c
runs 1 "$HEDDLE" run ./bare
says '#0 take bare.c:3$'
says '#1 twice bare.c:4$'
says '#2 main bare.c:6$'

# A crash in a function of the C library that Heddle replaces is shown in the caller.
cat >copy.c <<'END'
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile size_t length = 5000;
static char *nowhere, text[5000];
static void copies(void) { memcpy(nowhere + 8, text, length); }
int main(void) {
    pthread_mutex_lock(&lock);
    copies();
    return 0;
}
END
runs 0 "$HEDDLE" cc -O2 -o copy copy.c
runs 1 "$HEDDLE" run ./copy
says '#0 copies copy.c:6$'
says '#1 main copy.c:9$'

# Frames that longjmp has left are on no stack. A stack that overflows does so at the same place when the execution is
# repeated.
cat >odd.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[] = {1, 2};
static volatile int sink;
static jmp_buf back;
static void deep(int depth) {
    if (depth == 0)
        longjmp(back, 1);
    deep(depth - 1);
    sink++;
}
static int blocks(const void *a, const void *b) {
    (void)a, (void)b;
    return pthread_mutex_lock(&lock);
}
static int recurses(const void *a, const void *b) {
    sink++;
    qsort(numbers, 2, sizeof numbers[0], recurses);
    return a < b;
}
int main(int argc, char **argv) {
    (void)argv;
    if (setjmp(back) == 0)
        deep(5);
    pthread_mutex_lock(&lock);
    qsort(numbers, 2, sizeof numbers[0], argc > 1 ? recurses : blocks);
    return 0;
}
END
runs 0 "$HEDDLE" cc -o odd odd.c
runs 1 "$HEDDLE" run ./odd
says '#0 blocks odd.c:16$'
says '#[0-9] main odd.c:28$'
says_not 'deep odd.c'
runs 1 "$HEDDLE" run ./odd overflow
says 'stack overflow'
says '#[0-9]* recurses odd.c:20$'

# damage FILE BYTES: changes these bytes in the unwind tables of a file.
damage() {
    objcopy --dump-section .eh_frame=frames "$1" && tr "$2" '\377\001\016\014\017\003\220' <frames >other &&
        objcopy --update-section .eh_frame=other "$1" || fail "objcopy $1"
}

# Wrong tables do no harm either.
runs 0 gcc -g -O2 -shared -fPIC -o libplain.so.whole plain.c
runs 0 cp libplain.so.whole libplain.so
runs 0 "$HEDDLE" cc -O2 -o user.whole user.c $link
for bytes in '\001\014\016\017\033\034\101' '\000\001\002\003\004\005\006' '\014\015\016\017\020\021\101'; do
    for file in libplain.so user; do
        cp libplain.so.whole libplain.so
        cp user.whole user
        damage $file "$bytes"
        runs 1 "$HEDDLE" run ./user
        says '#0 add user.c:7$'
        says '#1 plain_each plain.c:3$'
        runs 1 "$HEDDLE" run ./user crash
        says '#0 plain_first plain.c:6$'
    done
done
exit $failed
