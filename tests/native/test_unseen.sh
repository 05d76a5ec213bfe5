#!/bin/bash
# Code that is not instrumented: the first line of the report says so, and the ledger names the
# file. The library is built without `heddle cc`, as a shared library and as an object, with a lock
# of its own and without.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS
cd "$work" || exit 1
here=$SOURCE/tests/native/unseen

gcc -O1 -fPIC -DOWN_LOCK -shared -o liblocks.so "$here/library.c" || fail "liblocks.so"
gcc -O1 -fPIC -shared -o libplain.so "$here/library.c" || fail "libplain.so"
gcc -O1 -fPIC -DOWN_LOCK -c -o locks.o "$here/library.c" || fail "locks.o"

# check WHAT LINE [LEDGER]: the run of ./t must print LINE, and LEDGER in the ledger. The exit code
# is always 0.
check() {
    run_tool --json=a.json ./t
    [ "$status" = 0 ] || fail "$1: exit code $status"
    line=$(sed -n 's/^heddle: //p' out)
    [ "$line" = "$2" ] || fail "$1: '$line', not '$2'"
    [ -z "${3-}" ] || grep -qF "    $3" out || fail "$1: no '$3' in $(cat out)"
    [ -n "${3-}" ] || ! grep -q 'not controlled' out || fail "$1: $(cat out)"
}

for compiler in gcc clang; do
    for level in -O0 -O2; do
        export HEDDLE_CC=$compiler
        build=("$HEDDLE" cc "$level" -o t)
        end=(-L. "-Wl,-rpath,$work")
        "${build[@]}" "$here/uses_library.c" "${end[@]}" -llocks || fail "$compiler $level"
        check "$compiler $level, a library with a lock" \
            "no bug as far as seen: 1 execution; code that was not seen: liblocks.so (xchg in library_add)" \
            'liblocks.so: not compiled by `heddle cc`; 1 function of it synchronises'
        "${build[@]}" "$here/uses_library.c" "${end[@]}" -lplain || fail "$compiler $level"
        check "$compiler $level, a library without one" \
            "no bug as far as seen: 1 execution; code that was not seen: libplain.so" \
            'libplain.so: not compiled by `heddle cc`: its memory accesses are not seen'
        "${build[@]}" "$here/uses_library.c" locks.o || fail "$compiler $level"
        check "$compiler $level, linked in" \
            "no bug as far as seen: 1 execution; code that was not seen: t (xchg in library_add)" \
            "t: 1 function that no instrumentation covers"
        # The library is not called, and contains nothing that a task could wait for.
        "${build[@]}" "$here/alone.c" "${end[@]}" -Wl,--no-as-needed -lplain || fail "$compiler $level"
        check "$compiler $level, not called" "verified: all 2 executions, nothing cut off"
        # The same library, compiled by `heddle cc`: each exchange is an operation.
        "$HEDDLE" cc "$level" -fPIC -shared -o libseen.so "$here/library.c" || fail "$compiler $level, libseen.so"
        "${build[@]}" "$here/uses_library.c" "${end[@]}" -lseen || fail "$compiler $level"
        run_tool --json=a.json ./t
        grep -q '^SUMMARY: heddle: data race' out || fail "$compiler $level, instrumented: $(cat out)"
    done
done
exit $failed
