#!/bin/sh
# test_stacks.sh - call stacks in reports: no caller is lost, code inside of functions has its line, and
# variables have their names, whichever compiler described them.
. "$SOURCE/tests/cli/cli.sh"

# frames PATTERN: the frames of the first stack whose title has that, in one line, without paths.
frames() {
    awk -v title="$1" '/ at:$/ { inside = !done && $0 ~ title; done = done || inside; next }
         inside && /^ *#[0-9]/ { printf "%s ", $0 }
         inside && !/^ *[#|]/ { exit }' out | tr -s ' ' | sed 's,/[^ ]*/,,g'
}

has_frames() {
    [ "$(frames "$1")" = " $2 " ] || fail "not '$2' but '$(frames "$1")' in: $(cat out)"
}

# The thread has made no operation yet when it races.
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

# The code of a lambda is described inside the function around it, and lies elsewhere.
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
    says '#[0-9] main::.*::operator()(int) const lambda.cpp:10$'
    says '#[0-9] main lambda.cpp:12$'
    says 'lambda.cpp:6'
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
exit $failed
