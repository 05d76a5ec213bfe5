#!/bin/sh
# A file that a run writes is complete, or does not exist: whatever ends the run, and whatever kind of file it is.
. "$SOURCE/tests/cli/cli.sh"

all="--json=run.json --sarif=run.sarif --junit=run.xml --graph=run.dot"

# Three tasks with twelve additions each, without a reduction: the search does not end by itself.
cat >endless.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x;
static void *run(void *unused) {
    for (int i = 0; i < 12; i++)
        atomic_fetch_add(&x, 1);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C
"$HEDDLE" cc -o endless endless.c || fail "endless does not compile"

ends_with() {
    [ "$(tail -c "$2" "$1")" = "$3" ] || fail "$1 is not whole: $(tail -c 100 "$1" 2>&1)"
}

are_whole() {
    is_result run.json "$1" || fail "run.json is no result: $(cat run.json 2>&1)"
    ends_with run.sarif 2 '}'
    ends_with run.xml 14 '</testsuites>'
    ends_with run.dot 2 '}'
}

nothing_beside() {
    for file in run.*.??????; do
        [ ! -e "$file" ] || fail "left behind: $file"
    done
}

# --- signals ---

for signal in INT TERM HUP QUIT; do
    rm -f run.*
    # A shell starts background commands with SIGINT and SIGQUIT ignored.
    start env --default-signal="$signal" "$HEDDLE" run --strategy=dfs $all ./endless
    searching
    [ ! -e run.sarif ] || fail "run.sarif is there before the end"
    [ ! -e run.json ] || fail "run.json is there before the end"
    kill -$signal "$background"
    end_started
    [ $status -eq 3 ] || fail "SIG$signal: exit code $status: $(cat out err)"
    are_whole 3
    nothing_beside
done

# After a kill there is no file; in particular not the result of the run before.
start "$HEDDLE" run --strategy=dfs $all ./endless
searching
kill -KILL "$background"
end_started
[ ! -e run.json ] && [ ! -e run.sarif ] && [ ! -e run.xml ] && [ ! -e run.dot ] || fail "something is left: $(ls)"
nobody_left

# If the reader of the output ends, the run goes on: all files are written, and the exit code is the verdict.
runs 0 sh -c "{ $HEDDLE run $all $programs/readers 3; echo \$? >code; } | true"
[ "$(cat code)" = 0 ] || fail "behind a pipe that nobody reads: exit code $(cat code)"
are_whole 0

# --- other kinds of files ---

mkdir results
ln -s results/real.json run.link # the target does not exist yet
for i in 1 2; do
    "$HEDDLE" run --json=run.link "$programs/readers" 2 >out 2>err || fail "to a link: $(cat out err)"
    [ -L run.link ] || fail "the symbolic link was replaced"
    is_result results/real.json 0 || fail "nothing where the link leads"
done

mkfifo run.pipe
cat run.pipe >piped &
background=$!
"$HEDDLE" run --json=run.pipe "$programs/readers" 2 >out 2>err || fail "to a pipe: $(cat out err)"
end_started
is_result piped 0 || fail "nothing came through the pipe: $(cat piped)"
[ -p run.pipe ] || fail "the pipe was replaced"

# If standard output is a file, the output is appended, and the file stays the same one.
echo "before" >all
"$HEDDLE" run --quiet --json=/dev/stdout "$programs/readers" 2 >>all
echo "behind" >>all
[ "$(head -n 1 all)" = before ] && [ "$(tail -n 1 all)" = behind ] || fail "/dev/stdout: $(cat all)"
sed '1d; $d' all >only
is_result only 0 || fail "/dev/stdout: no result: $(cat all)"
[ -c /dev/null ] && [ -L /dev/stdout ] || fail "a file of /dev was replaced"

# A file that is replaced keeps its permissions.
runs 1 "$HEDDLE" run --trace=q.trace "$programs/queue_wrong"
: >page.html
chmod 640 page.html
runs 0 "$HEDDLE" report -o page.html q.trace
[ -s page.html ] && [ "$(stat -c %a page.html)" = 640 ] || fail "permissions: $(stat -c %a page.html)"

# --- files that cannot be written ---

runs 2 "$HEDDLE" run --json=no/such/place "$programs/readers" 2
says '--json: no/such/place: No such file' err
runs 2 "$HEDDLE" run --sarif=results "$programs/readers" 2
says '--sarif: results: Is a directory' err
"$HEDDLE" run --json=/dev/full "$programs/readers" 2 >out 2>err
[ $? -eq 6 ] || fail "a full disk is no failure"
says '/dev/full: could not be written: No space left on device' err
"$HEDDLE" run "$programs/readers" 2 >/dev/full 2>err
[ $? -eq 6 ] || fail "standard output on a full disk is no failure"
says 'heddle: standard output: ' err
"$HEDDLE" run "$programs/queue_wrong" >/dev/full 2>err
[ $? -eq 1 ] || fail "a bug is no bug if it cannot be printed"
says 'heddle: standard output: ' err

exit $failed
