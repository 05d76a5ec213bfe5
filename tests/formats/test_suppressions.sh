#!/bin/sh
# test_suppressions.sh - --suppressions: a finding that matches is counted instead of reported, findings after it are
# still found, and the verdict is not "verified" because of a suppression.
. "$SOURCE/tests/cli/cli.sh"

# A race, which does not end an execution, and after it an assertion that fails in some orders.
cat >two.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static int plain;
static atomic_int count;
static void bump(void) {
    plain++;
}
static void *work(void *argument) {
    bump();
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    heddle_assert(atomic_load(&count) == 2);
    return 0;
}
END
runs 0 "$HEDDLE" cc -g -o two two.c
race=$(grep -n 'plain++' two.c | cut -d: -f1)

runs 1 "$HEDDLE" run ./two
says 'ERROR: heddle: data race on `plain`'
print=$(sed -n 's/^Fingerprint: //p' out)

# Each way to name the race. The search goes on, finds the assertion, and ends there.
for line in "data-race:two.c:$race" data-race:bump data-race:plain 'data-race:b*p' "*:two.c:$race" "fingerprint:$print" \
    "data-race:*/two.c" 'data-race:*earlier*'; do
    echo "  $line	" >list
    runs 1 "$HEDDLE" run --suppressions=list --json=a.json ./two
    says 'ERROR: heddle: assertion failed'
    says_not 'ERROR: heddle: data race'
    says '^heddle: bug: 1 finding; 1 finding suppressed$'
    says "^  suppressed   1 by " out
    says '"verdict": "bug"' a.json
    says "\"fingerprint\": \"$print\"" a.json
    runs 1 "$HEDDLE" replay two.trace # the replay goes past the race, to the assertion
    says '^SUMMARY: heddle: assertion failed two.c'
done
grep -q '"suppression": "data-race:\*earlier\*"' a.json || fail "not in a.json: $(cat a.json)"

# An entry that does not match suppresses nothing: part of a word, another kind, another line.
for line in data-race:bum data-race:wo.c "data-race:two.c:1$race" deadlock:bump fingerprint:0123456789abcdef; do
    echo "$line" >list
    runs 1 "$HEDDLE" run -v --suppressions=list ./two
    says 'ERROR: heddle: data race on `plain`'
    says_not 'suppressed   1'
    says '^  suppressed   nothing by '
done

# Everything is suppressed: exit code 0, and not verified, with every strategy and every isolation.
printf '# known\n\ndata-race:plain\nassertion:main\n' >list
for options in '' --strategy=dfs --strategy=source --isolate=fork --keep-going --checkpoints=off; do
    # shellcheck disable=SC2086
    runs 0 "$HEDDLE" run $options --suppressions=list --json=a.json --junit=a.xml --sarif=a.sarif ./two
    says '^heddle: no bug within the bound: all .*; 2 findings suppressed, behind which nothing is verified$'
    says_not '^heddle: verified'
    says '"verdict": "no-bug-within-bound"' a.json
    says '"complete": false' a.json
    says '"findings": \[\]' a.json
    says '<property name="suppressed" value="2"/>' a.xml
    says_not '<failure' a.xml
    [ "$(grep -c '"justification"' a.sarif)" = 2 ] || fail "$options: not two suppressions: $(cat a.sarif)"
done
runs 0 "$HEDDLE" run --strategy=random --max-executions=20 --suppressions=list ./two
says '^heddle: no bug within the bound: 20 random executions, seed 1; 2 findings suppressed, behind which nothing'
runs 3 "$HEDDLE" run --strategy=dfs --max-executions=2 --suppressions=list ./two
says 'no bug so far: .*; [12] findings* suppressed, '
runs 0 env HEDDLE_OPTIONS=suppressions=list "$HEDDLE" run -q ./two
[ ! -s out ] || fail "not quiet: $(cat out)"

# With --keep-going, findings that are not suppressed are reported.
echo 'data-race:*' >list
runs 1 "$HEDDLE" run --keep-going --suppressions=list --sarif=a.sarif ./two
says '^heddle: bug: 1 finding; 1 finding suppressed$'
[ "$(grep -c '"suppressions": \[\]' a.sarif)" = 1 ] || fail "what is reported is not said to be unsuppressed"

# A large number of known races does not hide later findings: 40 of them, then a crash.
{
    echo '#include <pthread.h>'
    echo 'static int many[40]; static int *volatile nowhere;'
    echo 'static void *work(void *argument) {'
    for i in $(seq 0 39); do
        echo "    many[$i]++;"
    done
    echo '    return argument; }'
    echo 'int main(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); work(0);'
    echo '    pthread_join(thread, 0); *nowhere = 1; return 0; }'
} >many.c
runs 0 "$HEDDLE" cc -g -o many many.c
runs 1 "$HEDDLE" run --strategy=dfs --suppressions=list ./many
says 'ERROR: heddle: crash'
echo 'crash:main' >>list
runs 3 "$HEDDLE" run --suppressions=list ./many
says 'there are more findings than could be kept'

# A bad file is reported in one line.
bad() {
    printf "$1" >list
    runs 2 "$HEDDLE" run --suppressions=list ./two
    says "^heddle: --suppressions: list:$2" err
    [ "$(wc -l <err)" = 1 ] || fail "more than one line: $(cat err)"
}
bad 'deadlock:x\nrace:x\n' "2: there is no kind of finding 'race'; there are assertion, .*, fingerprint and \*$"
kinds=$(sed -n 's/^FINDING([A-Z_]*, "\([a-z-]*\)",.*/\1/p' "$SOURCE/src/execution/finding_kinds.def")
[ "$(echo "$kinds" | wc -l)" -gt 10 ] || fail "hardly any kinds of findings: $kinds"
for kind in $kinds; do
    says " $kind," err
    grep -q "^\.Cm $kind [,.]$" "$SOURCE/docs/man/heddle-run.1" || fail "heddle-run(1) does not name $kind"
done
bad 'deadlock\n' "1: 'deadlock' is not kind:pattern$"
bad 'deadlock:\n' "1: 'deadlock:' is not kind:pattern$"
bad 'fingerprint:xyz\n' "1: a fingerprint has 16 hexadecimal digits, not 'xyz'$"
bad 'deadlock:a\0b\n' '1: there is a zero byte in it$'
runs 2 "$HEDDLE" run --suppressions=nothing ./two
says '^heddle: --suppressions: nothing: No such file' err
runs 2 "$HEDDLE" run --suppressions=. ./two
says '^heddle: --suppressions: .: Is a directory' err

exit $failed
