#!/bin/sh
# gcc and clang, at -O0 and -O2, give the same verdicts. At the same level they give the same
# unreduced counts.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
[ -x "$BUILD/programs-gcc-O2/readers" ] || { echo "FAILED: there are no variants: target programs-variants"; exit 1; }
[ -d "$BUILD/programs-clang-O2" ] || { echo "no clang when this was configured"; exit 77; }

for name in $(programs); do
    want=$(expected "$name")
    for level in O0 O2; do
        for compiler in gcc clang; do
            checked=$((checked + 1))
            json=$work/$compiler.json
            explore "$json" "$BUILD/programs-$compiler-$level" "$name" --strategy=dfs --keep-going
            as_expected "$json" "$want" ||
                fail "$name: $compiler -$level: expected '$want', got '$(answer "$json")'"
        done
        [ -z "$(said "$name" counts)" ] || continue # these counts depend on the layout of a polling loop
        a=$(field "$work/gcc.json" executions) b=$(field "$work/clang.json" executions)
        [ "$a" = "$b" ] || fail "$name: -$level: $a executions by gcc, $b by clang"
    done
done
finish
