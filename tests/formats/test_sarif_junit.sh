#!/bin/sh
# test_sarif_junit.sh - the formats that other tools read. Each one is checked by a schema and against the trace: for
# no finding, one, several, and for texts and names that are hard to encode.
. "$SOURCE/tests/cli/cli.sh"
python3 -c 'import jsonschema' 2>/dev/null && command -v xmllint >/dev/null || { echo "no validators"; exit 77; }

# check RESULTS: a.sarif, a.xml and a.json must be right, and have that number of findings.
check() {
    python3 "$SOURCE/tests/formats/check_sarif.py" a.sarif "$1" || fail "a.sarif"
    xmllint --noout --schema "$SOURCE/tests/formats/junit.xsd" a.xml 2>err || fail "a.xml: $(cat err)"
    [ -z "${JUNIT_SCHEMA-}" ] || xmllint --noout --schema "$JUNIT_SCHEMA" a.xml 2>err || fail "a.xml: $(cat err)"
    python3 - "$SOURCE/docs/heddle-run.schema.json" <<'END' || fail "a.json"
import json, jsonschema, sys
jsonschema.validate(json.load(open("a.json")), json.load(open(sys.argv[1])))
END
}

# xml PATH: prints the value of an XPath expression.
xml() {
    xmllint --xpath "string($1)" a.xml
}

run_all() {
    code=$1
    shift
    runs "$code" "$HEDDLE" run --sarif=a.sarif --junit=a.xml --json=a.json "$@"
}

# Nothing is found: all files exist nevertheless.
run_all 0 "$programs/abba_right"
check 0
[ "$(xml 'count(//failure | //error | //skipped)')" = 0 ] || fail "not passed: $(cat a.xml)"
[ "$(xml '//property[@name="verdict"]/@value')" = verified ] || fail "no verdict: $(cat a.xml)"

# One finding of each form: a deadlock, a race with two sides, an assertion, a heap misuse with its free, C++.
for name in abba_wrong barrier_reuse_wrong lost_update_wrong use_after_free_wrong cxx_mutex_wrong \
    nonzero_exit_wrong stack_overflow_wrong; do
    run_all 1 "$programs/$name"
    check 1
    [ "$(xml //testsuite/@name)" = $name ] || fail "another suite: $(cat a.xml)"
    [ "$(xml //testsuite/@failures)" = 1 ] || fail "no failure: $(cat a.xml)"
    print=$(sed -n 's/^Fingerprint: //p' out)
    says "\"heddle/v1\": \"$print\"" a.sarif
    says "\"fingerprint\": \"$print\"" a.json
    [ "$(xml '//property[@name="fingerprint"]/@value')" = "$print" ] || fail "no fingerprint: $(cat a.xml)"
    # The text of the failure is the report.
    xml //failure | sed '/^$/d; s/^==[0-9]*==//' >text
    sed '/^Replay:/q' out | sed '/^$/d; s/^==[0-9]*==//' | cmp - text || fail "$name: the failure is not the report"
done

# Several findings: one result for each, and one test case that has all.
runs 1 "$HEDDLE" run --keep-going "$programs/rwlock_wrong"
count=$(grep -c '^Fingerprint:' out)
[ "$count" -ge 2 ] || fail "rwlock_wrong has one finding only"
run_all 1 --keep-going "$programs/rwlock_wrong"
check "$count"
xml //failure/@message | grep -q "(and $((count - 1)) more)" || fail "no count: $(cat a.xml)"

# The budget ends first: the result is unknown. A program that cannot be run: an error.
run_all 3 --strategy=dfs --max-executions=3 "$programs/readers" 4
check 0
[ "$(xml //skipped/@type)" = budget-ended ] || fail "not skipped: $(cat a.xml)"
says '"level": "warning"' a.sarif
[ "$(xml //testcase/@name)" = "readers 4" ] || fail "the name is '$(xml //testcase/@name)'"

# Names of files and texts that are hard to encode, in a directory of the user's own.
mkdir -p 'odd dir/sub%20'
cat >'odd dir/sub%20/ü #?{}[x](y).c' <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int x;
static void *add(void *argument) { /* größer */
    heddle_note("\033[31mred\a \xff\xfe & <b> \"]]>\" {0} ::error::%%");
    x++; /* ü < & " */
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
END
"$HEDDLE" cc -g -o 'odd dir/a & b' 'odd dir/sub%20/ü #?{}[x](y).c' || fail "odd names do not compile"
run_all 1 -v --keep-going --trace=odd.trace 'odd dir/a & b' '<"&>' "$(printf 'tab\t\001\377')"
count=$(grep -c '^Fingerprint:' out)
check "$count"
says '"uri": "odd%20dir/sub%2520/%C3%BC%20%23%3F%7B%7D%5Bx%5D%28y%29.c"' a.sarif
grep -q "$(printf '[\001-\010\013-\037]')" a.xml && fail "a control character in a.xml"
[ "$(xml //testsuite/@name)" = 'a & b' ] || fail "the suite is '$(xml //testsuite/@name)'"

# A long schedule: only its end is written, and the file says what is left out.
cat >long.c <<'END'
#include <assert.h>
#include <stdatomic.h>
int main(void) {
    static atomic_int x;
    while (x < 6000)
        x++;
    assert(x == 0);
}
END
runs 0 "$HEDDLE" cc -g -o long long.c
run_all 1 ./long
check 1
says '"text": "the schedule, one thread flow a task; its first [0-9]* steps are left out"' a.sarif

# From another directory the file is named by its whole path.
mkdir elsewhere
from_elsewhere() {
    rm a.sarif
    (cd elsewhere && "$HEDDLE" run -q --sarif=../a.sarif --trace="$work/odd.trace" '../odd dir/a & b' >/dev/null)
    [ $? -eq 1 ] || fail "nothing is found from elsewhere"
}
from_elsewhere
says '"uri": "file:///.*/odd%20dir/sub%2520/%C3%BC%20' a.sarif
# In a repository the path starts at the root of the repository.
mkdir .git
from_elsewhere
says '"uri": "odd%20dir/sub%2520/%C3%BC%20' a.sarif

# From a trace alone: the same result.
runs 1 "$HEDDLE" run --sarif=a.sarif --trace=b.trace "$programs/abba_wrong"
runs 0 "$HEDDLE" report --sarif=b.sarif b.trace
[ ! -e b.html ] || fail "a page that nobody asked for"
python3 "$SOURCE/tests/formats/check_sarif.py" b.sarif 1 || fail "b.sarif"
python3 -c 'import json
a, b = (json.load(open(name))["runs"][0]["results"] for name in ("a.sarif", "b.sarif"))
exit(a != b)' || fail "the trace tells something else than the run"
runs 2 "$HEDDLE" report --sarif=c.sarif a.sarif
[ ! -e c.sarif ] || fail "half a file"

# A file that cannot be written is reported before the search, or at its end.
runs 2 "$HEDDLE" run --sarif=/nowhere/a.sarif "$programs/abba_right"
says '^heddle: --sarif: /nowhere/a.sarif: No such file' err
runs 2 "$HEDDLE" run --junit=/nowhere/a.xml "$programs/abba_right"
says '^heddle: --junit: /nowhere/a.xml: No such file' err
runs 6 "$HEDDLE" run --junit=/dev/full "$programs/abba_right"
says '^heddle: /dev/full: could not be written' err
runs 1 "$HEDDLE" run --sarif=/dev/full "$programs/abba_wrong"

exit $failed
