#!/bin/sh
# test_bad_input.sh - what cannot be done gets one line that says why, and the right exit code. Nothing
# here needs the runtime: everything is said before the program would run.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HEDDLE_OPTIONS
failed=0

# expect CODE TEXT COMMAND...: one line on stderr, nothing on stdout, that exit code.
expect() {
    code=$1 text=$2
    shift 2
    status=0
    "$@" >out 2>err || status=$?
    if [ "$status" -ne "$code" ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ] ||
        ! grep -qF -- "heddle: $text" err; then
        echo "FAILED: $*"
        echo "  expected $code and 'heddle: $text', got $status and:"
        cat out err
        failed=1
    fi
}

echo 'int main(void) { return 0; }' >main.c
gcc -o good main.c
gcc -static -o static main.c 2>/dev/null || cp good static
gcc -c -o object.o main.c
chmod +x object.o
cp good foreign
printf '\267\000' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null # EM_AARCH64
echo text >text
echo text >script
chmod +x script
mkdir directory
head -c 40 good >stump
chmod +x stump

expect 2 "./nothing: No such file or directory" "$HEDDLE" run ./nothing
expect 2 "./nothing: No such file or directory" "$HEDDLE" ./nothing
expect 2 "nothing: no such program" "$HEDDLE" run nothing
expect 2 "good: not found in PATH; did you mean './good'?" "$HEDDLE" run good
expect 2 "./text: not executable" "$HEDDLE" run ./text
expect 2 "./directory: is a directory" "$HEDDLE" run ./directory
expect 2 "$work/script: not an ELF program" "$HEDDLE" run ./script
expect 2 "$work/stump: not an ELF program" "$HEDDLE" run ./stump
expect 2 "$work/object.o: an object file" "$HEDDLE" run ./object.o
expect 2 "$work/foreign: made for another architecture" "$HEDDLE" run ./foreign
if ! cmp -s good static; then
    expect 5 "$work/static: statically linked" "$HEDDLE" run ./static
fi

expect 2 "run: which program?" "$HEDDLE" run
expect 2 "'rnu' is neither a command nor a program; did you mean 'run'?" "$HEDDLE" rnu
expect 2 "'completely-else' is neither" "$HEDDLE" completely-else
expect 2 "unknown option '--stratgey'; did you mean '--strategy'?" "$HEDDLE" run --stratgey=dfs ./good
expect 2 "unknown option '--stratgey'; did you mean '--strategy'?" "$HEDDLE" --stratgey=dfs ./good
expect 2 "unknown option '--zzzzzzzz'" "$HEDDLE" run --zzzzzzzz ./good
expect 2 "unknown option '-z'" "$HEDDLE" run -z ./good
expect 2 "unknown strategy 'dsf'; did you mean 'dfs'?" "$HEDDLE" run --strategy=dsf ./good
expect 2 "unknown strategy 'replay'" "$HEDDLE" run --strategy=replay ./good
expect 2 "option '--seed' needs a value: --seed=N" "$HEDDLE" run --seed
expect 2 "option '--quiet' takes no value" "$HEDDLE" run --quiet=yes ./good
expect 2 "bad value '-1' for '--seed'" "$HEDDLE" run --seed=-1 ./good
expect 2 "bad value '0' for '--max-executions'" "$HEDDLE" run --max-executions=0 ./good
expect 2 "bad value '5x' for '--timeout'" "$HEDDLE" run --timeout=5x ./good
expect 2 "bad value '99999999h' for '--timeout'" "$HEDDLE" run --timeout=99999999h ./good
expect 2 "bad value 'much' for '--memory'" "$HEDDLE" run --memory=much ./good
expect 2 "bad value 'maybe' for '--races': one of report explore ignore" "$HEDDLE" run --races=maybe ./good
expect 2 "'--preemptions' needs" "$HEDDLE" run --preemptions=2 ./good
expect 2 "--json: /nonexistent/x: No such file" "$HEDDLE" run --json=/nonexistent/x ./good
expect 2 "--output: /nonexistent: No such file" "$HEDDLE" run --output=/nonexistent ./good
expect 2 "HEDDLE_OPTIONS: unknown option 'stratgey'; did you mean 'strategy'?" \
    env HEDDLE_OPTIONS=stratgey=dfs "$HEDDLE" run ./good
expect 2 "HEDDLE_OPTIONS: bad value 'x' for 'seed'" env HEDDLE_OPTIONS=quiet:seed=x "$HEDDLE" run ./good

for command in show replay; do
    expect 2 "$command: one trace is needed" "$HEDDLE" $command
    expect 2 "$command: one trace is needed" "$HEDDLE" $command text text
    expect 2 "nothing.trace: No such file or directory" "$HEDDLE" $command nothing.trace
    expect 2 "directory: is a directory" "$HEDDLE" $command directory
    expect 2 "good: not a trace of Heddle" "$HEDDLE" $command good
    printf 'heddle-trace 1\nnote\thalf' >half.trace
    expect 2 "half.trace: cut off" "$HEDDLE" $command half.trace
    printf 'heddle-trace 1\nend\t0123456789abcdef\n' >garbled.trace
    expect 2 "garbled.trace: garbled" "$HEDDLE" $command garbled.trace
    printf 'heddle-trace 7\nend\t0123456789abcdef\n' >later.trace
    expect 2 "later.trace: trace format 7; this Heddle reads 1" "$HEDDLE" $command later.trace
done
expect 2 "unknown option '--gbd'; did you mean '--gdb'?" "$HEDDLE" replay good --gbd

"$HEDDLE" --version | grep -q '^heddle [0-9]'
"$HEDDLE" help | grep -q 'heddle run'
"$HEDDLE" run --help | grep -q -- '--strategy=NAME'
exit $failed
