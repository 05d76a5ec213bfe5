#!/bin/sh
# picture.sh BUILD [FILE] - makes the picture for the README: the HTML page of the bug in programs/queue_wrong.c, as
# Chromium shows it. FILE is docs/queue.png by default.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
file=${2:-$source/docs/queue.png}
case $file in /*) ;; *) file=$PWD/$file ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_OPTIONS
PATH=$build:$PATH # so that the page names the tool as a user would
export PATH

# The program is compiled where the reader of the README would do it, so that the page shows the same paths.
cd "$work"
mkdir programs
cp "$source/programs/queue_wrong.c" programs
heddle cc -g -o queue programs/queue_wrong.c
status=0
heddle run -q ./queue >run.txt 2>&1 || status=$?
[ "$status" -eq 1 ] || { echo "picture: no bug was found: $(cat run.txt)" >&2; exit 1; }
heddle report queue.trace -o queue.html >/dev/null

# Chromium gets a home and a profile of its own, so that it neither reads nor writes the user's files.
HOME=$work TMPDIR=$work chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$work/profile" --hide-scrollbars --window-size=1200,620 \
    --virtual-time-budget=3000 --screenshot="$work/queue.png" "file://$work/queue.html" >chromium.txt 2>&1 ||
    { echo "picture: chromium failed: $(tail -n 3 chromium.txt)" >&2; exit 1; }
[ -s queue.png ] || { echo "picture: chromium has written no picture" >&2; exit 1; }
mv queue.png "$file"
