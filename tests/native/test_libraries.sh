#!/bin/sh
# Libraries that the program opens with dlopen(). They are loaded before main, put back between
# executions, checked like the program, and known by their names.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_CC HEDDLE_CXX LD_LIBRARY_PATH
cd "$work" || exit 1

# Two threads run step() of the library, which returns how often its thread has called it. In every
# execution, the library's data has the value that its file contains, and its constructor has run
# once.
cat >main.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    pthread_t thread[2];
    void *result;
    if (argc > 2)
        assert(chdir(argv[2]) == 0);
    assert(dlopen("./absent.so", RTLD_NOW) == NULL && dlerror() != NULL);
    void *library = dlopen(argv[1], RTLD_NOW);
    assert(library != NULL && dlopen(argv[1], RTLD_LAZY | RTLD_NOLOAD) == library);
    void *(*step)(void *) = (void *(*)(void *))dlsym(library, "step");
    int (*value)(void) = (int (*)(void))dlsym(library, "value");
    assert(value() == 7 && step(NULL) == (void *)1);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, step, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], &result);
        assert(result == (void *)1);
    }
    assert(value() == 10);
    assert(dlclose(library) == 0);
    return 0;
}
END
cat >library.h <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int counter = 6;
static _Thread_local long here;
__attribute__((constructor)) static void construct(void) { counter++; }
int value(void) { return counter; }
static void add(void) { pthread_mutex_lock(&lock); counter++; pthread_mutex_unlock(&lock); }
END
cat >right.c <<'END'
#include "library.h"
void *step(void *arg) {
    (void)arg;
    add();
    return (void *)++here;
}
END
cat >race.c <<'END'
#include "library.h"
void *step(void *arg) {
    (void)arg, (void)add;
#line 100
    counter++;
    return (void *)++here;
}
END
cat >deadlock.c <<'END'
#include "library.h"
void *step(void *arg) {
    static _Atomic int number;
    int odd = number++ % 2;
    pthread_mutex_lock(odd ? &lock : &other);
#line 100
    pthread_mutex_lock(odd ? &other : &lock);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&other);
    return (void *)((void)arg, (void)add, ++here);
}
END
cat >wrong.c <<'END'
#include "library.h"
void *step(void *arg) {
    static _Atomic int inside;
    int others = inside++;
#line 100
    assert(others == 0);
    inside--;
    add();
    return (void *)((void)arg, ++here);
}
END

"$HEDDLE" cc -g -O1 -o main main.c || fail main.c
for name in right race deadlock wrong; do
    "$HEDDLE" cc -g -O1 -fPIC -shared -o $name.so $name.c || fail $name.c
done

# runs CODE TEXT OPTIONS... PROGRAM...: checks the exit code, and that the report contains TEXT.
runs() {
    code=$1 text=$2
    shift 2
    timeout 300 "$HEDDLE" run "$@" >out.txt 2>&1
    status=$?
    [ $status -eq "$code" ] || fail "'$*' ended with $status, not $code: $(cat out.txt)"
    tr -s '\n ' ' ' <out.txt | grep -q -e "$text" || fail "'$*' does not say '$text': $(cat out.txt)"
}

# replays PLACE: the trace must lead to the finding at PLACE again.
replays() {
    "$HEDDLE" replay main.trace >out.txt 2>&1
    status=$?
    [ $status -eq 1 ] && grep -q "SUMMARY.*$1 in step" out.txt || fail "replay ended with $status: $(cat out.txt)"
}

# The program is right: two critical sections have two orders.
runs 0 'verified: all 2 executions' ./main ./right.so
runs 0 'dlopen: the library was loaded before main, with its constructors' ./main "$work/right.so"
for how in --strategy=dfs --strategy=ses --isolate=fork --checkpoints=off; do
    runs 0 verified $how ./main ./right.so
done
# The program changes its directory before it opens the library.
mkdir away
cp main away/
(cd away && exec "$HEDDLE" run ./main ./right.so .. >../out.txt 2>&1) || fail "after chdir: $(cat out.txt)"
grep -q 'verified: all 2 executions' out.txt || fail "after chdir: $(cat out.txt)"

# The program is wrong. The report names the object, function and line, and a replay does so again.
for how in --strategy=optimal --strategy=dfs --isolate=fork; do
    runs 1 'data race on `counter`.* step race.c:100' $how ./main ./race.so
    replays 'race.c:100'
    runs 1 'deadlock.* step deadlock.c:100' $how ./main ./deadlock.so
    replays 'deadlock.c:100'
    runs 1 'assertion .others == 0. failed.* step wrong.c:100' $how ./main ./wrong.so
    replays 'wrong.c:100'
done
# The smallest schedule has one switch to each of the two threads.
HEDDLE_OPTIONS= runs 1 'Smallest schedule: 2 context switches.*SUMMARY.* wrong.c:100 in step' ./main ./wrong.so

# A library that was not compiled by `heddle cc` is named in the report, even if the program does
# not contain its name.
gcc -g -O1 -fPIC -shared -o unseen.so right.c || fail unseen.so
runs 0 'no bug as far as seen: .* unseen.so' ./main ./unseen.so
runs 0 'no bug as far as seen: .* unseen.so' ./main "$work/unseen.so"

# Two libraries. The second one uses a function and the address of a variable of the first, which is
# opened with RTLD_GLOBAL. They are found by the rpath of the program's file.
mkdir plugins
cat >first.c <<'END'
int base = 40;
int more(int by) { return base += by; }
END
cat >second.cpp <<'END'
#include <mutex>
#include <string>
extern "C" int base, more(int by);
static int *const there = &base;
struct Registered {
    std::string name{"a name that is longer than what fits into the object"};
    std::mutex lock;
    int count = *there;
};
static Registered registered;
extern "C" int use(void) {
    std::lock_guard<std::mutex> guard(registered.lock);
    registered.name += '!';
    registered.count++;
    return more(1) + (int)registered.name.size();
}
END
cat >two.cpp <<'END'
#include <cassert>
#include <dlfcn.h>
#include <thread>
int main() {
    assert(dlopen("first.so", RTLD_NOW | RTLD_GLOBAL));
    void *second = dlopen("second.so", RTLD_NOW);
    assert(second);
    auto use = (int (*)())dlsym(second, "use");
    int a = 0, b = 0;
    std::thread other([&] { a = use(); });
    b = use();
    other.join();
    assert((a == 94 && b == 96) || (a == 96 && b == 94)); /* 41 + 53 and 42 + 54 */
}
END
"$HEDDLE" cc -g -O1 -fPIC -shared -o plugins/first.so first.c || fail first.c
"$HEDDLE" c++ -g -O1 -fPIC -shared -o plugins/second.so second.cpp || fail second.cpp
"$HEDDLE" c++ -g -O1 -o two two.cpp '-Wl,-rpath,$ORIGIN/plugins' || fail two.cpp
runs 0 'verified: all 2 executions' ./two
runs 0 'verified' --isolate=fork ./two

# A new name space has another C library, so dlmopen is refused.
sed 's/dlopen("second.so"/dlmopen(LM_ID_NEWLM, "second.so"/' two.cpp >space.cpp
"$HEDDLE" c++ -g -O1 -o space space.cpp '-Wl,-rpath,$ORIGIN/plugins' || fail space.cpp
runs 5 'dlmopen: .*space.cpp:6' ./space

exit $failed
