#!/bin/sh
# The HTML report in a real Chromium: pages of runs and of traces, looked at, clicked and typed at
# (browser.mjs). Screenshots stay in $BUILD/page. Without Chromium, Node or the npm registry it is skipped.
set -u
. "$SOURCE/tests/checks.sh"
STOP_AT_FIRST_FAILURE=1 # one thing leads to the next
for program in chromium node npm; do
    command -v $program >/dev/null || { echo "no $program: the page is not tested"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX
here=$SOURCE/tests/page
shots=$BUILD/page
mkdir -p "$shots"

cd "$work" || exit 1

# A run whose finding has a page: the program, then options of the run and arguments.
run_page() {
    name=$1
    shift
    "$HEDDLE" run -q --html="$name" "$@" >/dev/null 2>"$name.log"
    [ $? -eq 1 ] || fail "$name: no bug was found: $(cat "$name.log")"
    [ -s "$name/index.html" ] || fail "$name: no index.html"
}

for source in many_threads senders ring; do
    "$HEDDLE" cc -g -o $source "$here/$source.c" || fail "$source does not compile"
done
"$HEDDLE" c++ -g -o names "$here/names.cpp" || fail "names does not compile"
run_page deadlock "$BUILD/programs/abba_wrong"
run_page race "$BUILD/programs/publish_wrong"
run_page queue "$BUILD/programs/queue_wrong"
run_page messages ./senders
run_page templates --keep-going --coverage --timeout=5s ./names
run_page waits --strategy=random --seed=3 ./ring
run_page long --strategy=random --seed=3 --trace=long.trace ./many_threads 8 157
run_page crowd --strategy=random --seed=3 --trace=crowd.trace ./many_threads 30 2
"$HEDDLE" run -q --coverage --html=covered "$BUILD/programs/mailbox_right" >/dev/null || fail "no page of a right program"
"$BUILD/tests/write_page_traces" "$work" || fail "no traces"
for trace in passing hostile bare; do
    "$HEDDLE" report "$trace.trace" || fail "$trace: no report"
done
"$HEDDLE" report "$SOURCE/tests/data/queue-1.trace" -o old.html || fail "format 1: no report"

# Installed once a build folder, as the lock says.
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$here/browser.mjs" "$work"
if ! cmp -s "$here/package-lock.json" "$shots/installed-lock.json"; then
    rm -rf "$shots/node_modules"
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
        { echo "playwright-core could not be installed: the page is not tested"; exit 77; }
    mv "$work/node_modules" "$shots/node_modules"
    cp "$here/package-lock.json" "$shots/installed-lock.json"
fi
ln -s "$shots/node_modules" "$work/node_modules"

# Chromium has a socket in its temporary folder, and names of sockets are short.
[ ${#work} -le 60 ] || TMPDIR=/tmp
PAGES=$work SHOTS=$shots CHROMIUM=$(command -v chromium) node --test --test-reporter=tap browser.mjs >browser.log 2>&1
status=$?
grep -E '^ *(not ok|ok|# (pass|fail) )' browser.log
[ $status -eq 0 ] || { cat browser.log; exit 1; }
