#!/bin/sh
# With --races=explore, plain accesses and calls that free memory are operations. The reductions
# must give the same answers as the unreduced search, on all programs for which the unreduced search
# comes to an end.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"
limit=20000
skipped=0

for name in $(programs); do
    explore "$work/dfs.json" "$BUILD/programs" "$name" --strategy=dfs --races=explore --keep-going \
        --max-executions=$limit --max-steps=2000
    case $(field "$work/dfs.json" verdict) in
    budget-ended | undecided)
        skipped=$((skipped + 1))
        continue
        ;;
    esac
    # A race by itself is no finding here. So a program with no other bug must be verified.
    [ "$(expected "$name")" != verified ] || as_expected "$work/dfs.json" verified ||
        fail "$name: dfs: $(answer "$work/dfs.json")"
    for strategy in persistent source optimal observers; do
        checked=$((checked + 1))
        explore "$work/a.json" "$BUILD/programs" "$name" --strategy=$strategy --races=explore \
            --keep-going --max-executions=$limit --max-steps=2000
        [ "$(answer "$work/dfs.json")" = "$(answer "$work/a.json")" ] ||
            fail "$name: dfs '$(answer "$work/dfs.json")', $strategy '$(answer "$work/a.json")'"
    done
done
echo "$skipped programs were too long for the unreduced search"
[ "$skipped" -lt "$(($(programs | wc -l) / 2))" ] || fail "too many were skipped"
finish
