#!/bin/sh
# A trace may run the program for which it was recorded on this machine without asking. For any other program the tool
# shows the command and asks.
. "$SOURCE/tests/cli/cli.sh"

# A program that leaves a mark when it runs, and fails in every schedule.
cat >marks.c <<'C'
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>
int main(int argc, char **argv) {
    (void)argc;
    close(open(argv[1], O_CREAT | O_WRONLY, 0600));
    heddle_assert(0);
    return 0;
}
C
"$HEDDLE" cc -o marks marks.c || fail "marks does not compile"
runs 1 "$HEDDLE" run --trace=here.trace ./marks "$work/ran"
says 'SUMMARY'

# seal FILE: writes a trace from the lines on standard input, with the right checksum: XXH64 of everything before it.
seal() {
    cat >"$1"
    sum=$(xxhsum -H1 <"$1" | cut -d' ' -f1)
    printf 'end\t%s\n' "$sum" >>"$1"
}
command -v xxhsum >/dev/null || { echo "no xxhsum"; exit 77; }

# ran CODE COMMAND...: the command ends with that exit code, and the program has run. ran_not: the program has not
# run.
ran() {
    rm -f ran
    runs "$@" </dev/null
    [ -e ran ] || fail "'$*': the program has not run: $(cat out err)"
}
ran_not() {
    rm -f ran
    runs "$@" </dev/null
    [ ! -e ran ] || fail "'$*': the program has run"
}

# A trace that was recorded here: no command asks.
ran 1 "$HEDDLE" replay here.trace
says_not 'not recorded here' err
ran 0 "$HEDDLE" min -o smaller.trace here.trace
ran 1 "$HEDDLE" replay smaller.trace
ran 1 "$HEDDLE" run --corpus=corpus ./marks "$work/ran"
for kept in corpus/*.trace; do ran 1 "$HEDDLE" replay "$kept"; done
mkdir elsewhere && (cd elsewhere && "$HEDDLE" replay ../here.trace >../out 2>../err)
[ $? -eq 1 ] || fail "a trace that is read from elsewhere: $(cat out err)"
grep -q '^origin	[0-9a-f]\{32\}$' here.trace || fail "the trace has no mark"
[ ! -r /etc/machine-id ] || ! grep -qF "$(cut -c1-16 /etc/machine-id | grep . || echo none)" here.trace ||
    fail "the machine's id is in the trace"

# The same trace from another machine or an older Heddle: its marks are damaged, empty, long, doubled or missing.
grep -v '^end	' here.trace >lines
grep -v '^origin	' lines | seal none.trace
sed 's/^origin	./origin	x/' lines | seal wrong.trace
sed 's/^origin	.*/origin	/' lines | seal empty.trace
sed 's/^\(origin	.*\)./\1/' lines | seal short.trace
sed 's|^origin	.*|&0123456789abcdef|' lines | seal long.trace
sed 's/^origin	.*/origin	\\x1b[31m%s%n/' lines | seal odd.trace
# A mark is valid for one program with its arguments in one directory.
sed "s|^argument	$work/ran|argument	$work/./ran|" lines | seal argument.trace
sed "s|^\\(program	.*	\\)$work	|\\1/	|" lines | seal directory.trace
for trace in none wrong empty short long odd argument directory; do
    ran_not 2 "$HEDDLE" replay $trace.trace
    says 'not recorded here by you, and would run: .*/marks .*ran' err
    says 'say --yes$' err
    [ "$(wc -l <err)" -eq 1 ] || fail "$trace: more than one line: $(cat err)"
    ran_not 2 "$HEDDLE" min -o other.trace $trace.trace
    says 'say --yes$' err
    ran_not 2 "$HEDDLE" sim $trace.trace
    says 'say --yes$' err
    ran_not 2 "$HEDDLE" replay $trace.trace --gdb=-batch
    runs 0 "$HEDDLE" show $trace.trace
    ran 1 "$HEDDLE" replay --yes $trace.trace
    says 'and runs: .*/marks .*ran' err
done
ran 0 "$HEDDLE" min --yes -o mine.trace none.trace
ran 1 "$HEDDLE" replay mine.trace
# A file with two marks, or with a mark without a value, is not a valid trace.
{ cat lines && echo origin; } | seal bare.trace
ran_not 2 "$HEDDLE" replay --yes bare.trace

# Control characters in the command that is shown do not reach the terminal.
sed "s|^argument	$work/ran|argument	\\\\x1b]0;x\\\\x07\\\\n|" lines | seal escape.trace
ran_not 2 "$HEDDLE" replay escape.trace
printf '\033' >escape
! grep -qF "$(cat escape)" err || fail "an escape character: $(cat -v err)"
says "marks \$'.x1b]0;x.x07.x0a'" err

# On a terminal the user is asked.
if command -v python3 >/dev/null; then
    cat >ask.py <<'P'
import os, pty, sys
answer, command = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(command[0], command)
seen, told = b"", False
try:
    while True:
        got = os.read(fd, 4096)
        if not got:
            break
        seen += got
        if b"[y/N] " in seen and not told:
            os.write(fd, answer.encode() + b"\n")
            told = True
except OSError:
    pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
    ran 1 python3 ask.py y "$HEDDLE" replay none.trace
    says 'Run it?'
    says 'SUMMARY'
    for no in n '' q; do
        ran_not 2 python3 ask.py "$no" "$HEDDLE" replay none.trace
        says 'not run'
    done
    ran 1 python3 ask.py n "$HEDDLE" replay here.trace
fi

exit $failed
