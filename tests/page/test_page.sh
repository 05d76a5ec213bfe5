#!/bin/sh
# The HTML report in a real Chromium: browser.mjs reads, clicks and types in pages of runs and of traces. Screenshots
# stay in $BUILD/page. The test is skipped without Chromium, Node or the npm registry.
set -u
. "$SOURCE/tests/checks.sh"
STOP_AT_FIRST_FAILURE=1 # each step needs the one before
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

# run_page PROGRAM OPTION... : runs a program and makes a page of its finding.
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

# Installed once for each build folder, in the locked versions.
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$here/browser.mjs" "$work"
if ! cmp -s "$here/package-lock.json" "$shots/installed-lock.json"; then
    rm -rf "$shots/node_modules"
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
        { echo "playwright-core could not be installed: the page is not tested"; exit 77; }
    mv "$work/node_modules" "$shots/node_modules"
    cp "$here/package-lock.json" "$shots/installed-lock.json"
fi
ln -s "$shots/node_modules" "$work/node_modules"

# Chromium makes a socket in its temporary folder, and the name of a socket must be short.
[ ${#work} -le 60 ] || TMPDIR=/tmp
PAGES=$work SHOTS=$shots CHROMIUM=$(command -v chromium) node --test --test-reporter=tap browser.mjs >browser.log 2>&1
status=$?
grep -E '^ *(not ok|ok|# (pass|fail) )' browser.log
[ $status -eq 0 ] || { cat browser.log; exit 1; }

# The picture of the README can be made again, and has the same size as the stored one.
size_of() { # prints width and height, from the head of a PNG file
    od -An -tx1 -N24 "$1" | tr -d ' \n' | sed -n 's/^89504e470d0a1a0a.\{16\}//p'
}
sh "$SOURCE/tools/picture.sh" "$BUILD" "$shots/queue.png" || fail "no picture for the README"
shown=$(size_of "$SOURCE/docs/queue.png")
[ -n "$shown" ] && [ "$shown" = "$(size_of "$shots/queue.png")" ] || fail "the picture of the README has another size"
exit 0
