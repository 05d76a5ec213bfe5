#!/bin/sh
# The interface of ThreadSanitizer: all functions that its headers declare exist, and annotations
# have their meaning.
set -u
. "$SOURCE/tests/programs/programs.sh"
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
here=$SOURCE/tests/native/annotations
cd "$work" || exit 1

# --- all names, from the headers of the compiler itself
# names HEADER: the functions that the header declares.
names() {
    echo "#include <sanitizer/$1>" | "$compiler" -E -P - 2>/dev/null | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        grep -o '__\(tsan\|sanitizer\)_[A-Za-z0-9_]* *(' | tr -d ' (' | sort -u
}

links() { # COMPILER
    compiler=$1
    : >names
    for header in tsan_interface.h tsan_interface_atomic.h; do
        [ "$header" = tsan_interface.h ] || echo "#include <sanitizer/$header>" | "$compiler" -E - >/dev/null 2>&1 || continue
        names $header >>names
    done
    sort -u -o names names
    # 31 names from tsan_interface.h and about 30 from common_interface_defs.h
    [ "$(wc -l <names)" -ge 55 ] || fail "$compiler: only $(wc -l <names) names in the headers"
    checked=$((checked + $(wc -l <names)))
    {
        sed 's/.*/extern char &[];/' names
        echo 'void *volatile all[] = {'
        sed 's/$/,/' names
        echo '}; int main(void) { for (unsigned i = 0; i < sizeof all / sizeof *all; i++) if (!all[i]) return 1; return 0; }'
    } >all.c
    HEDDLE_CC=$compiler "$HEDDLE" cc -w -fno-builtin -o all all.c 2>out || fail "$compiler: not all names are there: $(cat out)"
    ./all || fail "$compiler: the program does not run without the tool"
    "$HEDDLE" run -q --json=a.json ./all >out 2>&1 || fail "$compiler: the program does not run under the tool: $(cat out)"
}

# --- the meaning of each case: WORD VERDICT [LEFT_OUT]
answers='
order verified
order-annotate verified
order-half bug
order-unguarded bug
ignore-reads no-bug-within-bound annotated-races
ignore-writes no-bug-within-bound annotated-races
ignore-locked verified
ignore-reads-only bug
ignore-ended bug annotated-races
ignore-sync bug
benign no-bug-within-bound annotated-races
benign-other bug
benign-constructed no-bug-within-bound annotated-races
lock verified
lock-bare bug
lock-broken bug
lock-race no-bug-within-bound annotated-races
lock-divert bug
lock-try bug
readers bug
writer verified
fiber verified
fiber-alone bug
external bug
'
# order: a reader that sees the flag comes after the release. order-unguarded: the acquire may come
# first. ignore-locked: nothing races, so nothing is reported as left out. lock-broken: both threads
# can be inside, in spite of the annotations. lock-try: the second thread says that it did not get
# the lock. readers: two readers are not ordered. writer: a reader comes after a writer.

means() { # PROGRAM OPTION...
    program=$1
    shift
    while read -r word verdict left_out; do
        [ -n "$word" ] || continue
        checked=$((checked + 1))
        rm -f a.json
        "$HEDDLE" run -q --json=a.json "$@" "$program" "$word" >out 2>&1
        got=$(field a.json verdict)
        [ "$got" = "$verdict" ] || fail "$program $* $word: '$got', not '$verdict': $(cat out)"
        [ "$verdict" != bug ] || [ "$(kinds a.json)" = data-race ] || fail "$program $* $word: $(kinds a.json)"
        said=$(grep -c '"annotated-races"' a.json)
        [ "$said" = "$([ -n "$left_out" ] && echo 1 || echo 0)" ] || fail "$program $* $word: annotated-races: $said"
    done <expected
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    links $compiler
    for level in O0 O2; do
        HEDDLE_CC=$compiler "$HEDDLE" cc -$level -o "cases-$compiler-$level" "$here/cases.c" || fail "cases.c does not compile"
        "./cases-$compiler-$level" order || fail "cases.c does not run without the tool"
    done
done
echo "$answers" >expected
means ./cases-gcc-O0
means ./cases-gcc-O2 --strategy=dfs
[ ! -x ./cases-clang-O2 ] || means ./cases-clang-O2 --checkpoints=off

# A search by states can decide these cases too, with the same answers.
printf '%s\n' 'ignore-reads no-bug-within-bound annotated-races' 'ignore-locked verified' 'ignore-ended bug annotated-races' \
    'benign no-bug-within-bound annotated-races' 'order-unguarded bug' >expected
means ./cases-gcc-O0 --strategy=ses

# With the stub, and without ThreadSanitizer, the same calls do nothing.
checked=$((checked + 1))
{ sed '/^#if .*SANITIZE/,/^#endif/d' "$here/cases.c"; } >plain.c
cc -o plain plain.c "$BUILD/libheddle-stub.a" -lpthread 2>out || fail "not with the stub: $(cat out)"
./plain order || fail "the program does not run with the stub"
finish
