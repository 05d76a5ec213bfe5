#!/bin/bash
# Shells with low limits, terminals of absurd sizes, and names that contain control characters: the tool prints one
# clear line, has the right exit code, and prints no control character.
. "$SOURCE/tests/cli/cli.sh"
for fd in 3 4 5 6 7 8 9; do eval "exec $fd>&-"; done # close descriptors that the caller has left open

# --- limits of the shell ---

# limited LIMIT TEXT: a run is not possible with that limit: exit code 5, and one line with TEXT.
limited() {
    # The output goes through a pipe, because `ulimit -f` would also limit the files of this test.
    { bash -c "ulimit $1; exec '$HEDDLE' run '$programs/readers' 2" 2>&1; echo "exit code $?"; } | cat >out
    says "heddle: .*$2"
    says '^exit code 5$'
    [ "$(wc -l <out)" -eq 2 ] || fail "ulimit $1: more than one line: $(cat out)"
}
limited '-n 4' 'Too many open files (ulimit -n)'
limited '-n 5' 'Too many open files (ulimit -n)'
limited '-f 1' 'File too large (ulimit -f)'
limited '-v 1000000' 'Cannot allocate memory (ulimit -v)'
runs 0 bash -c "ulimit -n 16; exec '$HEDDLE' run '$programs/readers' 2"
says 'verified: all 4 executions'

# --- terminals ---

cat >size.py <<'P'
import fcntl, os, pty, struct, sys, termios
rows, columns, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)
seen = b""
try:
    while True:
        seen += os.read(fd, 1 << 20) or sys.exit(99)
        if b"\x1b[" in seen: # the screen is drawn; keys that are typed now wait until they are read
            os.write(fd, b"0uq")
            break
    while os.read(fd, 1 << 20):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
if command -v python3 >/dev/null; then
    for size in '24 80' '0 0' '1 1' '2 3' '10000 10000' '65535 65535' '1 20000' '20000 1'; do
        runs 0 timeout $patience python3 size.py $size "$HEDDLE" sim "$programs/readers" 2
    done
    runs 0 env COLUMNS=1 LINES=1 timeout $patience python3 size.py 24 80 "$HEDDLE" sim "$programs/readers" 2
    runs 0 env COLUMNS=99999 LINES=99999 timeout $patience python3 size.py 24 80 "$HEDDLE" sim "$programs/readers" 2
fi

# --- control characters ---

escape=$(printf '\033')
evil="a${escape}]0;x$(printf '\007\302\233')b"
cat >names.c <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
static void *run(void *unused) { heddle_note("a \033[31m note"); heddle_assert(!"\033[1m"); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_setname_np(thread, "\033[7mname");
    return pthread_join(thread, NULL);
}
C
sed 's/stddef.h>/stddef.h>\n#define _GNU_SOURCE/; 1i #define _GNU_SOURCE' names.c >"$evil.c"
"$HEDDLE" cc -o "$evil" "$evil.c" || fail "it does not compile"

# harmless COMMAND...: the output of the command must not contain a control character.
harmless() {
    "$@" >out 2>err
    [ -s out ] || [ -s err ] || fail "'$*' says nothing"
    ! LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" out err || fail "'$*': $(cat -v out err | cut -c1-500)"
    ! LC_ALL=C grep -q "$(printf '\302\233')" out err || fail "'$*': a control character of two bytes"
}
harmless "$HEDDLE" run --json=run.json --sarif=run.sarif --junit=run.xml --trace="$evil.trace" "./$evil" "$evil"
[ -s "$evil.trace" ] || fail "there is no trace: $(cat out err)"
cat run.json run.sarif run.xml >files # control characters of two bytes are allowed in these files
! LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" files || fail "a control character in a file: $(cat -v files)"
harmless "$HEDDLE" show "$evil.trace"
harmless "$HEDDLE" replay "$evil.trace"
harmless "$HEDDLE" min -v "$evil.trace"
harmless "$HEDDLE" report -o - "$evil.trace"
harmless "$HEDDLE" run --verbose --strategy=ses --show-races "./$evil" "$evil"
harmless "$HEDDLE" run --verbose --keep-going --coverage "./$evil" "$evil"
harmless "$HEDDLE" estimate "./$evil"
for command in run replay show report min sim "run --$evil" "run --json=$evil/x" "run --strategy=$evil"; do
    harmless "$HEDDLE" $command "no$evil"
done
harmless "$HEDDLE" "$evil"
# The command that repeats the finding can be run by a shell.
"$HEDDLE" run --trace="$evil.trace" "./$evil" >out 2>err
replay=$(sed -n 's/^Replay: //p' out)
[ -n "$replay" ] && { bash -c "$replay" >out 2>err; [ $? -eq 1 ]; } || fail "'$replay': $(cat out err)"

exit $failed
