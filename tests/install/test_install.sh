#!/bin/sh
# `make install` into a folder of its own, and what a user does with it: find_package(Heddle), heddle_add_test(),
# pkg-config, and the installed tool alone.
set -eu
. "$SOURCE/tests/checks.sh"
stage=$(cd "$(mktemp -d)" && pwd -P)
prefix=$stage/prefix
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM
STOP_AT_FIRST_FAILURE=1 # each step needs the one before

# Runs a command, and prints its output only if it fails.
quietly() {
    "$@" >"$stage/log.txt" 2>&1 || { cat "$stage/log.txt"; fail "$*"; }
}

quietly cmake --install "$BUILD" --prefix "$prefix"
libdir=$(dirname "$(find "$prefix" -name libheddle.so)")
for file in bin/heddle include/heddle/heddle.h include/heddle/machine.h share/heddle/heddle_gdb/start.py; do
    [ -e "$prefix/$file" ] || fail "no $file"
done
for file in libheddle.so.0 libheddle-stub.a libheddle-machines.a pkgconfig/heddle.pc pkgconfig/heddle-stub.pc \
    pkgconfig/heddle-machines.pc \
    cmake/Heddle/HeddleConfig.cmake cmake/Heddle/HeddleConfigVersion.cmake cmake/Heddle/HeddleAddTest.cmake \
    cmake/Heddle/HeddleCopy.cmake cmake/Heddle/HeddleDiscoverTests.cmake cmake/Heddle/HeddleListCases.cmake; do
    [ -e "$libdir/$file" ] || fail "no $file in $libdir"
done
for page in "$SOURCE"/docs/man/*.1; do
    [ ! -e "$page" ] || [ -e "$prefix/share/man/man1/$(basename "$page")" ] || fail "no $page"
done

[ "$("$prefix/bin/heddle" --version)" = "$("$HEDDLE" --version)" ] || fail "another tool than $HEDDLE is installed"

# The installed tool uses the files beside it, and none of the build tree.
quietly "$prefix/bin/heddle" cc -o "$stage/counter" "$SOURCE/tests/install/user/counter.c"
objdump -p "$stage/counter" | grep -q "R.*PATH.*$libdir" || fail "the installed heddle cc links another library"
"$prefix/bin/heddle" cc -M "$SOURCE/tests/install/user/counter.c" | tr -d '\\\n' | grep -q "$prefix/include/heddle" ||
    fail "the installed heddle cc includes another heddle.h"

quietly "$prefix/bin/heddle" cc -o "$stage/abba" "$SOURCE/programs/abba_wrong.c"
status=0
"$prefix/bin/heddle" run -q --trace="$stage/abba.trace" "$stage/abba" >/dev/null || status=$?
[ $status -eq 1 ] || fail "the installed tool ends with $status on abba_wrong"
"$prefix/bin/heddle" replay "$stage/abba.trace" --gdb='-batch -iex "help heddle"' \
    2>&1 | grep -q '^heddle tasks -- ' || fail "the installed tool does not find heddle_gdb"

# pkg-config: with the stub, the program runs with real threads; machines run as threads.
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
quietly pkg-config --exists 'heddle >= 0.1' 'heddle-stub >= 0.1' 'heddle-machines >= 0.1'
[ -n "$(pkg-config --variable=instrumentation heddle)" ] || fail "heddle.pc does not tell the flags"
eval "quietly gcc -o '$stage/plain' '$SOURCE/tests/install/user/counter.c' $(pkg-config --cflags --libs heddle-stub)"
quietly "$stage/plain"
eval "quietly gcc -o '$stage/machines' '$SOURCE/tests/install/user/machines.c' $(pkg-config --cflags --libs heddle-machines)"
quietly "$stage/machines"
eval "quietly gcc $(pkg-config --variable=instrumentation heddle) $(pkg-config --cflags heddle) -c -o '$stage/c.o' '$SOURCE/tests/install/user/counter.c'"
eval "quietly gcc -o '$stage/by-hand' '$stage/c.o' $(pkg-config --libs heddle)"
quietly "$prefix/bin/heddle" run "$stage/by-hand"
grep -q '^heddle: verified' "$stage/log.txt" || fail "the installed tool does not verify what was built by hand"

# find_package and heddle_add_test, with each compiler.
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    cxx=g++
    [ $compiler = gcc ] || cxx=clang++
    build=$stage/user-$compiler
    quietly env CC=$compiler CXX=$cxx cmake -S "$SOURCE/tests/install/user" -B "$build" -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$build"
    quietly ctest --test-dir "$build" --output-on-failure --no-tests=error
    for framework in cmocka gtest catch2; do
        [ -e "$build/cases_$framework" ] || continue
        quietly ctest --test-dir "$build" -V -R "^cases_$framework[.]"
        # Debian's cmocka and gtest were not compiled by heddle cc.
        [ "$(grep -cE 'heddle: (verified|no bug as far as seen): all 2 executions' "$stage/log.txt")" -eq 4 ] ||
            fail "not four cases of $framework, of two executions each: $(cat "$stage/log.txt")"
        # All cases in one run: 2 * 2 * 2 * 2 executions, which is more than the four that each case may have.
        status=0
        "$prefix/bin/heddle" run --max-executions=4 "$build/cases_$framework" >"$stage/log2.txt" || status=$?
        [ $status -eq 3 ] || fail "four cases of $framework in one run end with $status: $(cat "$stage/log2.txt")"
    done
done
echo "installed, found and used"
