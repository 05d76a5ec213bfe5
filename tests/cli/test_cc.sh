#!/bin/sh
# `heddle cc` and `heddle c++` replace gcc and clang, in the ways in which people and build systems call a compiler.
# This test only builds programs. Other tests explore them.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
. "$SOURCE/tests/cli/waiting.sh"
trap 'kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR" "$work/a dir, with comma"
cd "$work" || exit 1

# begin NAME: names the topic of the next checks.
begin() {
    echo "$1"
    rm -rf out.txt ./*.o ./*.d t
}

# works COMMAND...: the command must succeed without any output.
works() {
    "$@" >out.txt 2>&1 || fail "'$*' ended with $?: $(cat out.txt)"
    [ ! -s out.txt ] || fail "'$*' said: $(cat out.txt)"
}

# refuses CODE TEXT COMMAND...: the command must fail with that exit code and print one line that contains TEXT.
refuses() {
    code=$1 text=$2
    shift 2
    "$@" >out.txt 2>&1
    status=$?
    [ $status -eq "$code" ] || fail "'$*' ended with $status, not $code"
    [ "$(wc -l <out.txt)" -eq 1 ] || fail "'$*' printed more or less than one line: $(cat out.txt)"
    grep -q -e "$text" out.txt || fail "'$*' does not say '$text': $(cat out.txt)"
}

contains() {
    grep -q -e "$2" "$1" || fail "$1 does not contain '$2'"
}

symbols() {
    nm "$1" >symbols.txt 2>&1 || fail "nm $1: $(cat symbols.txt)"
}

instrumented() {
    symbols "$1"
    contains symbols.txt __tsan_func_entry
}

# linked PROGRAM: the program must be linked to Heddle's runtime, before all other libraries, and not to that of the
# sanitizer.
linked() {
    objdump -p "$1" >headers.txt 2>&1 || fail "objdump -p $1: $(cat headers.txt)"
    grep NEEDED headers.txt | head -n 1 | grep -q 'libheddle\.so' || fail "$1: libheddle.so is not its first library"
    ! grep -q libtsan headers.txt || fail "$1 is linked to libtsan"
    contains headers.txt 'R.*PATH'
}

cat >local.c <<'X'
#include <pthread.h>
static void *write_second(void *array) {
    ((int *)array)[1] = 1;
    return NULL;
}
int main(void) {
    int array[2] = {0, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, write_second, array);
    array[1] = 2;
    return pthread_join(thread, NULL);
}
X
cat >main.c <<'X'
#include <heddle/heddle.h>
#include <pthread.h>
#ifndef ANSWER
#define ANSWER 42
#endif
int twice(int);
volatile int flag;
int shared;
int main(void) { shared = ANSWER; flag = 1; return twice(shared) != 2 * ANSWER; }
X
cat >twice.c <<'X'
int twice(int n) { return 2 * n; }
X
cat >one.c <<'X'
#ifndef VALUE
#define VALUE 0
#endif
int shared = VALUE;
int main(void) { return shared; }
X
cp one.c "a dir, with comma/a file.c"
cat >plus.cpp <<'X'
#include <string>
#include <stdexcept>
int main() {
    try {
        throw std::runtime_error("x");
    } catch (const std::exception &error) {
        return std::string(error.what()) != "x";
    }
}
X

common_checks() {
    begin "$1: -c"
    works "$HEDDLE" cc -c main.c
    instrumented main.o
    contains symbols.txt __tsan_volatile_write4

    begin "$1: -c -o and -o joined"
    works "$HEDDLE" cc -c -omain2.o main.c
    instrumented main2.o

    begin "$1: compile and link several sources and an object"
    works "$HEDDLE" cc -c twice.c
    works "$HEDDLE" cc -Wall -Werror -O2 -o t main.c twice.o -lm
    linked t
    instrumented t
    rm t
    works "$HEDDLE" cc main.c -o t twice.c
    linked t

    begin "$1: link only"
    works "$HEDDLE" cc -c main.c twice.c
    works "$HEDDLE" cc -o t main.o twice.o
    linked t

    begin "$1: the user's -fsanitize=thread and -flto do not reach the linker"
    works "$HEDDLE" cc -fsanitize=thread -flto -o t main.c twice.c
    linked t
    instrumented t
    works "$HEDDLE" cc -flto -fsanitize=thread -c main.c twice.c
    works "$HEDDLE" cc -flto -fsanitize=thread main.o twice.o -o t
    linked t
    instrumented t

    begin "$1: -g is there unless the user says otherwise"
    works "$HEDDLE" cc -c one.c
    objdump -h one.o >sections.txt
    contains sections.txt debug_info
    works "$HEDDLE" cc -g0 -c one.c
    objdump -h one.o >sections.txt
    ! grep -q debug_info sections.txt || fail "-g0 is not obeyed"

    begin "$1: no name for the output"
    works "$HEDDLE" cc one.c
    linked a.out

    begin "$1: C++"
    works "$HEDDLE" c++ -std=c++20 -Wall -Werror -o t plus.cpp
    linked t
    instrumented t
    echo 'int main() { throw 1; }' >throws.cpp
    "$HEDDLE" cc -o t throws.cpp >out.txt 2>&1 && fail "C++ without its library was linked"
    contains out.txt 'heddle c++ links programs in C++, such as throws.cpp'

    begin "$1: -E, -M, -S, -fsyntax-only"
    "$HEDDLE" cc -E one.c >one.i 2>err.txt || fail "-E"
    contains one.i 'int main'
    [ ! -s err.txt ] || fail "-E said $(cat err.txt)"
    "$HEDDLE" cc -M main.c >main.d || fail "-M"
    contains main.d heddle/heddle.h
    works "$HEDDLE" cc -S one.c
    contains one.s __tsan_
    works "$HEDDLE" cc -fsyntax-only one.c
    works "$HEDDLE" cc -c one.s

    begin "$1: assembler among the sources"
    works "$HEDDLE" cc -S twice.c
    works "$HEDDLE" cc -o t main.c twice.s
    linked t

    begin "$1: -x and standard input"
    cp one.c one.txt
    works "$HEDDLE" cc -x c one.txt -o t
    linked t
    works "$HEDDLE" cc -c twice.c
    works "$HEDDLE" cc -x c main.c -x none twice.o -o t
    "$HEDDLE" cc -xc - -o t <one.c || fail "standard input"
    linked t

    begin "$1: shared library"
    works "$HEDDLE" cc -shared -fPIC -Wl,-z,defs -o libtwice.so twice.c
    linked libtwice.so
    works "$HEDDLE" cc -o t main.c -L . -l twice -Wl,-rpath,"$work"
    linked t

    begin "$1: elements of a local array that others have, too"
    for level in -O0 -O2; do
        works "$HEDDLE" cc $level -o t local.c
        "$HEDDLE" run -q --output="$work" ./t >found.txt 2>&1
        [ $? -eq 1 ] || fail "$level: a race was missed: $(cat found.txt)"
        contains found.txt 'data race local.c:'
    done

    begin "$1: relocatable output"
    works "$HEDDLE" cc -r -nostdlib -o both.o main.c twice.c
    instrumented both.o

    begin "$1: an error is the compiler's error, and nothing is linked"
    echo 'int main(void) { return undeclared; }' >bad.c
    ! "$HEDDLE" cc -o t bad.c twice.c 2>err.txt || fail "an error went unseen"
    contains err.txt 'bad.c:1:'
    [ ! -e t ] || fail "linked in spite of an error"
    ! "$HEDDLE" cc -c bad.c 2>err.txt || fail "an error went unseen"
}

unset HEDDLE_CC HEDDLE_CXX
common_checks default
for pair in "gcc g++" "clang clang++"; do
    HEDDLE_CC=${pair% *} HEDDLE_CXX=${pair#* }
    if command -v "$HEDDLE_CC" "$HEDDLE_CXX" >/dev/null; then
        export HEDDLE_CC HEDDLE_CXX
        common_checks "$HEDDLE_CC"
    else
        echo "no $HEDDLE_CC here: not tried"
    fi
done
unset HEDDLE_CC HEDDLE_CXX

begin "a compiler with options, under another name"
ln -sf "$(command -v clang || command -v gcc)" "$work/mycc"
works env PATH="$work:$PATH" HEDDLE_CC="mycc -DVALUE=7" "$HEDDLE" cc -o t one.c
linked t

begin "response files"
printf -- '-D ANSWER=3\n-o "t"\n main.c' >more.rsp
printf '@more.rsp twice.c' >all.rsp
works "$HEDDLE" cc @all.rsp
linked t
printf '%s' "-DNAME='\"x y\"' -c 'a dir, with comma/a file.c' -o a\\ b.o" >quoted.rsp
works "$HEDDLE" cc @quoted.rsp
[ -e "a b.o" ] || fail "a backslash in a response file"

begin "blanks and commas in names"
works "$HEDDLE" cc -o "a dir, with comma/a program" "a dir, with comma/a file.c"
linked "a dir, with comma/a program"

begin "sources of the same name"
mkdir -p x y
echo 'int twice_x(void) { return 1; }' >x/same.c
echo 'int twice_x(void); int main(void) { return twice_x() - 1; }' >y/same.c
works "$HEDDLE" cc -o t x/same.c y/same.c

begin "options with a value of their own"
echo '#define VALUE 0' >value.h
works "$HEDDLE" cc -I . -include value.h -isystem x -iquote y -idirafter x -U NOTHING -D SOMETHING \
    --param max-inline-insns-single=10 -L . -Xlinker -z -Xlinker now -u main -z relro -o t one.c
linked t

begin "dependency files"
works "$HEDDLE" cc -MD -o t one.c
contains t.d '^t:.*one.c'
works "$HEDDLE" cc -MMD -MP -MF deps.d -MT target -c one.c
contains deps.d '^target:.*one.c'
works "$HEDDLE" cc -MMD -MF deps2.d -o t one.c
contains deps2.d '^t:.*one.c'

begin "the same input gives the same build-id"
works "$HEDDLE" cc -o t main.c twice.c
readelf -n t | grep 'Build ID' >first.txt
works "$HEDDLE" cc -o t main.c twice.c
readelf -n t | grep 'Build ID' >second.txt
[ -s first.txt ] && cmp -s first.txt second.txt || fail "$(cat first.txt second.txt)"

begin "without inputs it is the compiler"
gcc --version >expected.txt
"$HEDDLE" cc --version >out.txt
cmp -s out.txt expected.txt || fail "--version: $(cat out.txt)"
gcc -print-file-name=libc.so >expected.txt
"$HEDDLE" cc -print-file-name=libc.so >out.txt
cmp -s out.txt expected.txt || fail "-print-file-name: $(cat out.txt)"

begin "what cannot be"
refuses 5 "static binaries cannot be controlled" "$HEDDLE" cc -static -o t one.c
refuses 5 "static binaries cannot be controlled" "$HEDDLE" cc -static-pie -o t one.c
refuses 2 "fsanitize=address" "$HEDDLE" cc -fsanitize=address -o t one.c
refuses 2 "fsanitize=address" "$HEDDLE" cc -fsanitize=undefined,address -c one.c
refuses 2 "HEDDLE_CC" env PATH=/nowhere "$HEDDLE" cc -o t one.c
refuses 2 "no-such-compiler" env HEDDLE_CC=no-such-compiler "$HEDDLE" cc -c one.c
refuses 6 "HEDDLE_LIBDIR" env HEDDLE_LIBDIR=/nowhere "$HEDDLE" cc -o t one.c
works "$HEDDLE" cc -static -c one.c
works "$HEDDLE" cc -fsanitize=undefined -o t one.c

begin "CC=\"heddle cc\" in a Makefile"
mkdir made
cp main.c twice.c made
printf 'CFLAGS = -O1 -Wall -Werror -MMD\nt: main.o twice.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n' >made/Makefile
works make -s -C made CC="$HEDDLE cc"
linked made/t

begin "CC=\"heddle cc\" in CMake"
mkdir project
cp main.c twice.c plus.cpp project
cat >project/CMakeLists.txt <<'X'
cmake_minimum_required(VERSION 3.16)
project(p C CXX)
find_package(Threads REQUIRED)
include(CheckCSourceCompiles)
check_c_source_compiles("int main(void) { return 0; }" COMPILES)
if(NOT COMPILES)
  message(FATAL_ERROR "check_c_source_compiles fails")
endif()
add_library(twice STATIC twice.c)
add_executable(t main.c)
target_link_libraries(t twice Threads::Threads)
add_executable(plus plus.cpp)
X
CC="$HEDDLE cc" CXX="$HEDDLE c++" cmake -S project -B project/build >out.txt 2>&1 || fail "configuring: $(cat out.txt)"
cmake --build project/build >out.txt 2>&1 || fail "building: $(cat out.txt)"
linked project/build/t
linked project/build/plus
instrumented project/build/plus

begin "temporary files are gone"
[ -z "$(ls "$TMPDIR")" ] || fail "$(ls "$TMPDIR")"

begin "an interrupted compilation leaves nothing behind"
printf '#!/bin/sh\n: >compiles\nexec sleep 600\n' >slow-gcc
chmod +x slow-gcc
start env PATH="$work:$PATH" HEDDLE_CC=slow-gcc "$HEDDLE" cc -o t one.c
await [ -e compiles ] || fail "it does not compile"
[ -n "$(ls "$TMPDIR")" ] || fail "no temporary files: nothing is tested"
kill -TERM "$background"
end_started
[ $status -eq 143 ] || fail "not 128 + SIGTERM"
[ -z "$(ls "$TMPDIR" | grep heddle-cc)" ] || fail "$(ls "$TMPDIR")"

exit $failed
