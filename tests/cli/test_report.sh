#!/bin/sh
# test_report.sh - `heddle report` and `heddle run --html`: where pages are written, what they contain, and that an
# error leaves no incomplete page behind. The behaviour of a page is tested in a browser (tests/page).
. "$SOURCE/tests/cli/cli.sh"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# expect CODE TEXT COMMAND...: the command must end with that exit code and print one line with TEXT on stderr; or
# nothing, if TEXT is empty.
expect() {
    code=$1 text=$2
    shift 2
    forget_results "$@"
    timeout -k 5 $patience "$@" >out 2>err
    status=$?
    [ "$status" -eq "$code" ] || fail "'$*' ended with $status, not $code"
    if [ -z "$text" ]; then
        [ ! -s err ] || fail "'$*' says something"
    else
        [ "$(wc -l <err)" -eq 1 ] || fail "'$*' does not say one line"
        grep -qF -- "$text" err || fail "'$*' does not say '$text'"
    fi
}

is_page() {
    [ "$(head -n 1 "$1")" = "<!doctype html>" ] || fail "$1 does not begin as a page"
    [ "$(tail -n 1 "$1")" = "</html>" ] || fail "$1 does not end as a page"
    grep -q "default-src 'none'" "$1" || fail "$1 may ask for things"
    ! grep -qE '(src|href)="?(https?:)?//' "$1" || fail "$1 names something outside"
}

cp "$SOURCE/tests/data/queue-1.trace" queue.trace

# --- where the page is written ---

expect 0 "" "$HEDDLE" report queue.trace
is_page queue.html
[ ! -s out ] || fail "a report that goes to a file is silent"
expect 0 "" "$HEDDLE" report -o other.html queue.trace
is_page other.html
expect 0 "" "$HEDDLE" report queue.trace -oanother.html
cmp -s other.html another.html || fail "-o on either side makes a difference"
expect 0 "" "$HEDDLE" report --output=- queue.trace
cmp -s other.html out || fail "standard output differs"
cp queue.trace nosuffix
expect 0 "" "$HEDDLE" report nosuffix
is_page nosuffix.html
[ "$(find . -name '*.html.*')" = "" ] || fail "temporary files are left"
expect 0 "" "$HEDDLE" report --help
grep -q -- "--output" out || fail "no help"

# --- an error gets one line, and no page ---

head -c 1500 queue.trace >cut.trace
sed 's/assertion/Assertion/' queue.trace >garbled.trace
echo "not a trace" >foreign.trace
sed 's/^heddle-trace 1/heddle-trace 99/' queue.trace >future.trace
: >empty.trace
mkdir directory.trace
expect 2 "cut off" "$HEDDLE" report cut.trace
expect 2 "garbled" "$HEDDLE" report garbled.trace
expect 2 "not a trace of Heddle" "$HEDDLE" report foreign.trace
expect 2 "trace format 99" "$HEDDLE" report future.trace
expect 2 "not a trace of Heddle" "$HEDDLE" report empty.trace
expect 2 "is a directory" "$HEDDLE" report directory.trace
expect 2 "No such file" "$HEDDLE" report none.trace
expect 2 "one trace is needed" "$HEDDLE" report
expect 2 "one trace is needed" "$HEDDLE" report queue.trace queue.trace
expect 2 "unknown option" "$HEDDLE" report --colour queue.trace
expect 2 "cannot write" "$HEDDLE" report queue.trace -o nowhere/queue.html
for name in cut garbled foreign future empty directory none; do
    [ ! -e $name.html ] || fail "$name.html was written"
done
echo "as it was" >kept.html
expect 2 "garbled" "$HEDDLE" report garbled.trace -o kept.html
[ "$(cat kept.html)" = "as it was" ] || fail "a page was lost to a garbled trace"
expect 2 "garbled" "$HEDDLE" report garbled.trace -o -
[ ! -s out ] || fail "half a page on standard output"

# --- pages of a run ---

expect 1 "" "$HEDDLE" run -q --html=pages "$BUILD/programs/abba_wrong"
is_page pages/index.html
is_page pages/abba_wrong.html
grep -q '"pages":\["abba_wrong.html"\]' pages/index.html || fail "the run does not name its page"
expect 0 "" "$HEDDLE" run -q --html=pages "$BUILD/programs/abba_right"
is_page pages/index.html
grep -q '"verdict": "verified"' pages/index.html || fail "the verdict is not in the page"
expect 1 "" "$HEDDLE" run -q --html=deep --output=pages --trace=named.trace "$BUILD/programs/abba_wrong"
is_page deep/named.html
expect 2 "not a directory" "$HEDDLE" run -q --html=queue.html "$BUILD/programs/abba_right"
expect 2 "No such file" "$HEDDLE" run -q --html=no/such "$BUILD/programs/abba_right"
mkdir pages/blocked pages/blocked/index.html
"$HEDDLE" run -q --html=pages/blocked "$BUILD/programs/abba_right" >out 2>err
[ $? -eq 6 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a page that cannot be written goes unnoticed"
exit $failed
