#!/bin/sh
# test_github.sh - on GitHub Actions findings become annotations, and the job gets a summary. Elsewhere neither is
# printed.
. "$SOURCE/tests/cli/cli.sh"
unset GITHUB_ACTIONS GITHUB_WORKSPACE GITHUB_STEP_SUMMARY

mkdir -p 'repository/src: a, b%' build
cat >'repository/src: a, b%/race.c' <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int x;
static void *add(void *argument) {
    heddle_note("```\n</details>\n::error::|");
    x++;
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    return 0;
}
END
(cd build && "$HEDDLE" cc -g -o race '../repository/src: a, b%/race.c') || fail "does not compile"

runs 1 "$HEDDLE" run build/race
says_not '^::'

line=$(grep -n 'x++' 'repository/src: a, b%/race.c' | cut -d: -f1)
github() {
    env GITHUB_ACTIONS=true GITHUB_WORKSPACE="$work/repository" GITHUB_STEP_SUMMARY="$work/summary.md" "$@"
}
echo 'from the step before' >summary.md
runs 1 github "$HEDDLE" run -q build/race
[ "$(grep -c '^::' out)" = 1 ] || fail "not one command: $(cat out)"
says "^::error file=src%3A a%2C b%25/race.c,line=$line,title=heddle%3A data race::data race on \`x\`: .*%0Aread of 4 bytes by T1 (add) at race.c:$line%0A"
head -n 1 summary.md | grep -q 'from the step before' || fail "the summary is not appended: $(cat summary.md)"
says '^### :x: heddle run race$' summary.md
says "^| data race | race\\\\.c:$line in add | " summary.md
# The program's own text stays in its block: the fence is longer than any row of backquotes in the text.
says '^````$' summary.md
[ "$(grep -c '^</details>' summary.md)" = 1 ] || fail "the text ends the block: $(cat summary.md)"

runs 0 github "$HEDDLE" run "$programs/abba_right"
says_not '^::'
says '^### :white_check_mark: heddle run abba' summary.md
runs 3 github "$HEDDLE" run --strategy=dfs --max-executions=2 "$programs/readers" 4
says '^::warning title=heddle%3A readers::no bug so far: --max-executions'

# A file outside of the workspace is named, but not annotated.
runs 1 github "$HEDDLE" run -q "$programs/lost_update_wrong"
says '^::error title=heddle%3A assertion failed::.* at lost_update_wrong.c:[0-9]*%0A'
# A suppressed finding has no annotation.
echo 'data-race:*' >list
runs 0 github "$HEDDLE" run --suppressions=list build/race
says_not '^::'
# A summary that cannot be written does not change the result.
runs 0 env GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/nowhere/x "$HEDDLE" run "$programs/abba_right"
says '^heddle: GITHUB_STEP_SUMMARY: /nowhere/x: No such file' err

exit $failed
