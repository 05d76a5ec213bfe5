#!/bin/sh
# A choice has more values than 16 bits can count (65,537). Strategies that explore all values must
# find one of the first values and the last one, and these findings can be replayed and minimised.
# Without a failing assertion there are 65,537 executions, one for each value.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/choose.c" <<'END2'
#include <heddle/heddle.h>
int main(void) {
    heddle_assert(heddle_choose(65537) != WRONG);
    return 0;
}
END2

for wrong in 3 65536 -1; do
    "$HEDDLE" cc -DWRONG=$wrong -o "$work/choose$wrong" "$work/choose.c" || fail "choose$wrong does not build"
done

for strategy in dfs persistent ses ses+ss preemption-bounding depth-bounding portfolio optimal; do
    for wrong in 3 65536; do
        [ "$strategy $wrong" = "optimal 3" ] && continue # optimal plans all values at once, which takes long
        checked=$((checked + 1))
        rm -f "$work/a.trace"
        "$HEDDLE" run -q --minimise=off --strategy=$strategy --trace="$work/a.trace" "$work/choose$wrong" >"$work/out" 2>&1
        [ $? -eq 1 ] && grep -q "choose(65537) = $wrong" "$work/out" ||
            fail "$strategy does not find $wrong: $(cat "$work/out")"
        "$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
        [ $? -eq 1 ] || fail "$strategy: replay of $wrong: $(cat "$work/out")"
    done
done

# A sampling strategy draws value 3 early, because it lies within three delays.
checked=$((checked + 1))
"$HEDDLE" run -q --minimise=off --strategy=ss "$work/choose3" >"$work/out" 2>&1
[ $? -eq 1 ] || fail "ss: $(cat "$work/out")"

checked=$((checked + 1))
"$HEDDLE" min -q --max-executions=1000 "$work/a.trace" >"$work/out" 2>&1
"$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q "choose(65537) = 65536" "$work/out" || fail "min: $(cat "$work/out")"

for strategy in dfs ses; do
    checked=$((checked + 1))
    "$HEDDLE" run -q --strategy=$strategy --json="$work/a.json" "$work/choose-1" >"$work/out" 2>&1
    [ "$(field "$work/a.json" verdict) $(field "$work/a.json" executions)" = "verified 65537" ] ||
        fail "$strategy: $(answer "$work/a.json"), $(field "$work/a.json" executions) executions"
done
finish
