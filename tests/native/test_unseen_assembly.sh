#!/bin/sh
# Inline assembly, and accesses that clang does not instrument. `heddle cc` warns of code that its
# instrumentation does not cover, in one line for each function, and the verdict of the program says
# so too. The programs are compiled by each compiler, at -O0 and -O2, in one command and in two.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS
cd "$work" || exit 1
here=$SOURCE/tests/native/unseen
hint='which Heddle does not see; write it with the atomics of C or C++ to have it checked'

# compiles WHAT LINE WORD...: `heddle cc` with these words must print exactly LINE on stderr.
compiles() {
    what="$HEDDLE_CC: $1" line=$2
    shift 2
    "$HEDDLE" cc "$@" 2>err || fail "$what: $(cat err)"
    [ "$(cat err)" = "$line" ] || fail "$what: '$(cat err)', not '$line'"
}

# ends WHAT LINE: the verdict line of ./t must be LINE.
ends() {
    run_tool --json=a.json ./t
    line=$(sed -n 's/^heddle: //p' out)
    [ "$line" = "$2" ] || fail "$HEDDLE_CC: $1: '$line', not '$2'"
}

for HEDDLE_CC in gcc clang; do
    export HEDDLE_CC
    for level in -O0 -O2; do
        # The function that contains the assembly after inlining.
        function=add
        [ $level = -O2 ] || function=move_up
        warning="heddle: cc: warning: $here/moves.c: function '$function' has inline assembly that accesses memory, $hint"
        unseen="no bug as far as seen: 1 execution; code that was not seen: t (assembly in $function)"
        compiles "moves $level, from a header" "$warning" $level -o t "$here/moves.c"
        ends "moves $level" "$unseen"
        compiles "moves $level, -c" "$warning" $level -c -o moves.o "$here/moves.c"
        compiles "moves $level, linked" "" -o t moves.o
        ends "moves $level, -c" "$unseen"
        compiles "harmless $level" "" $level -o t "$here/harmless.c"
        ends "harmless $level" "verified: all 2 executions, nothing cut off"
    done
    compiles "an operand" \
        "heddle: cc: warning: $here/moves.c: function 'add' has inline assembly that accesses memory, $hint" \
        -DOPERAND -o t "$here/moves.c"
    ends "an operand" "no bug as far as seen: 1 execution; code that was not seen: t (assembly in add)"
    compiles "a locked instruction" \
        "heddle: cc: warning: $SOURCE/tests/verdicts/assembly.c: function 'add' has the instruction 'lock inc', $hint" \
        -o t "$SOURCE/tests/verdicts/assembly.c"
    compiles "-w" "" -w -o t "$SOURCE/tests/verdicts/assembly.c"
    # The dependency file is that of the object, not of a temporary file.
    compiles "-MD" "heddle: cc: warning: $here/moves.c: function 'add' has inline assembly that accesses memory, $hint" \
        -DOPERAND -MD -c -o unit.o "$here/moves.c"
    grep -q '^unit.o:' unit.d || fail "$HEDDLE_CC: unit.d: $(cat unit.d)"
    [ "$(echo unit.*)" = "unit.d unit.o" ] || fail "$HEDDLE_CC: files are left: $(echo unit.*)"
done

# Objects of sizes that clang does not instrument, but gcc does.
for kind in -DSCALAR -DVECTOR; do
    for level in -O0 -O2; do
        HEDDLE_CC=clang
        compiles "wide $kind $level" \
            "heddle: cc: warning: $here/wide.c: function 'writer' has accesses of a size that clang does not instrument, which Heddle does not see; compile it by gcc to have them checked" \
            $kind $level -o t "$here/wide.c"
        ends "wide $kind $level" "no bug as far as seen: 1 execution; code that was not seen: t (wide access in writer)"
        HEDDLE_CC=gcc
        compiles "wide $kind $level" "" $kind $level -o t "$here/wide.c"
        ends "wide $kind $level" "bug: 1 finding"
    done
done
HEDDLE_CC=clang
compiles "wide, of its own" "" -DOWN -o t "$here/wide.c"
ends "wide, of its own" "verified: 1 execution, nothing cut off"
exit $failed
