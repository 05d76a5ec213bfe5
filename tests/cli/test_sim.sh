#!/bin/sh
# The simulator in a real terminal (tmux): the test types keys and reads the screen.
. "$SOURCE/tests/cli/cli.sh"
. "$SOURCE/tests/cli/terminal.sh"

# --- the deadlock of abba_wrong, by hand
opens "$programs/abba_wrong"
shows 'T0 (main) .*create .*abba_wrong.c:[0-9]* .*can move'
shows 'no task has moved yet'
shows '^>.*pthread_create(&thread, NULL, save, NULL);'
types Enter
shows ' step 1 *$'
shows '1  [0-9]*: create T1 (save)'
shows '^>\* T0 (main) .*lock savings_lock'
shows '^   T1 (save) .*lock checking_lock'
types Down # the source view follows
shows '^>  T1 (save)'
shows '^>.*pthread_mutex_lock(&checking_lock);'
types Enter
shows ' step 2 *$'
shows '^>\* T1 (save) .*lock savings_lock'
types 1
shows ' step 3 *$'
# A blocked task cannot be chosen; the screen says which task it waits for.
shows '^   T0 (main) .*waits for T1'
types 0
shows 'T0 cannot move: it waits for mutex `savings_lock`, held by T1 (save)'
shows ' step 3 *$'
types 7
shows 'there is no T7 now'
# Back by one step and by several, and forward again.
types u
shows ' step 2, 1 ahead *$'
types BSpace
shows ' step 1, 2 ahead *$'
types f f
shows ' step 3 *$'
types u
shows ' step 2, 1 ahead *$'
# Another way: the undone steps are forgotten.
types 0
shows 'ERROR: heddle: deadlock'
shows 'T1 (save) waits for mutex `savings_lock` held by T0 (main)'
types q
shows ' step 3 *$'
shows '^ deadlock: 2 tasks wait for each other in a cycle'
shows 'T0 (main) .*waits for T1'
shows 'T1 (save) .*waits for T0'
types 0
shows 'the execution has ended'

# --- a saved trace has the same finding
types s
shows 'Save as: abba_wrong.sim.trace'
types Enter
shows 'saved as abba_wrong.sim.trace: with the finding'
runs 1 "$HEDDLE" replay abba_wrong.sim.trace
says 'SUMMARY: heddle: deadlock abba_wrong.c:'
says_not 'of execution'
runs 0 "$HEDDLE" show abba_wrong.sim.trace
says '^saved      in the simulator, by Heddle '
types s
shows 'Save as: abba_wrong.sim.2.trace' # the first name is in use
types C-u abba_wrong.sim.trace Enter
shows 'not saved: abba_wrong.sim.trace is there already'

# --- to a step of the history, and from there to the end
types Tab Up
shows '^>    2  '
shows 'T1 (save), abba_wrong.c:[0-9]*: lock checking_lock'
types Enter
shows ' step 1, 2 ahead *$'
types s C-u half.trace Enter
shows 'saved as half.trace: up to here'
runs 0 "$HEDDLE" replay half.trace
says '    1  [0-9]*: create T1 (save)'
says_not '    2 '
says 'nothing is wrong up to here; the execution was left unfinished'
types 0 0 c
shows 'the program has ended: nothing is wrong'
types s C-u passing.trace Enter
shows 'saved as passing.trace: nothing is wrong in it'
runs 0 "$HEDDLE" replay passing.trace
says 'SUMMARY: heddle: nothing is wrong in this execution'

# --- help, sizes, and the end
types '?'
shows 'Enter, Space *move the selected task'
types q
shows 'the program has ended'
terminal resize-window -x 150 -y 40
shows '^.* abba_wrong.c:[0-9]* in main .*$'
terminal resize-window -x 40 -y 10
shows ' step 10 *$'
types g
shows 'step 0, 10 ahead'
shows 'T0 (main)'
terminal resize-window -x 80 -y 24
shows 'Who moves?'
types Z
shows 'this key does nothing'
types q
shows '^exit code 0'

# --- runs: to an operation, a number of steps, a breakpoint
opens --races=ignore "$programs/queue_wrong"
shows 'Who moves?'
types r signal Enter
shows 'T1 is next: "signal"'
shows '^>\* T1 (producer) *signal queue.not_empty'
types r 2 Enter
shows ' step 6 *$'
types r 'T3 lock' Enter
shows '^>  *T3 (consumer) *lock queue.lock'
types r 0 Enter
shows "'0' is no number of steps"
types g
shows ' step 0, '
types b ':38' Enter
shows 'runs stop before ":38"'
shows 'step 0, .* 1 breakpoint *$'
types b 'unlock producer' Enter
shows '2 breakpoints'
types c
shows 'T1 is next: breakpoint "unlock producer"'
types B
shows '> *1  :38'
types Down x q
shows '1 breakpoint *$'
types c
shows 'is next: breakpoint ":38"'
types B x q c
shows 'ERROR: heddle\|the program has ended'
types q

# --- choices within a step: which task a signal wakes, and values
opens --races=ignore "$programs/queue_wrong"
shows 'Who moves?'
types 0 0 0 2 2 3 3 1 1
shows 'T1 (producer) wakes: whom?'
shows '> *0  wakes T2 (consumer)'
shows '^    1  wakes T3 (consumer)'
types s C-u inside.trace Enter
shows 'saved as inside.trace: up to here'
runs 0 "$HEDDLE" replay inside.trace # without the unfinished step
types 1
shows 'signal queue.not_empty, wakes T3 (consumer)'
types u
shows 'T1 (producer) wakes: whom?'
types f
shows 'signal queue.not_empty, wakes T3 (consumer)'
types q
shows '^exit code 0'

opens "$programs/choose_wrong"
shows 'Who moves?'
types 0 1
shows 'T1 (network) chooses: which value?'
types 5
shows 'the options have the numbers 0 to 2'
types 2
shows 'choose(3) = 2'
types c
shows 'ERROR: heddle: assertion failed'
types q q
shows '^exit code 0'

# --- a trace can be opened: its schedule lies ahead
runs 1 "$HEDDLE" run -q --trace=found.trace "$programs/queue_wrong"
opens found.trace
shows ' step 0, [0-9]* ahead *$'
types f f
shows ' step 2, [0-9]* ahead *$'
types F
shows 'ERROR: heddle: assertion failed'
types q
shows 'assertion failed: .*(i: the report)'
types i
shows 'ERROR: heddle: assertion failed'
types q w
shows 'Where the tasks stand'
types q q
shows '^exit code 0'

# --- programs that die, loop, or end in their own way: the user can go back afterwards
opens "$programs/null_pointer_wrong"
shows 'Who moves?'
types 0 1
shows 'ERROR: heddle: crash'
types q u
shows ' step 1, 1 ahead *$'
types 0 c
shows 'the program has ended: nothing is wrong'
types q
cat >dies.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *unused) {
    if (atomic_load(&x) == 1)
        __asm__ volatile("syscall" ::"a"(231L), "D"(7L)); /* exit_group, behind our back */
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(thread, NULL);
    return 0;
}
END
"$HEDDLE" cc -o dies dies.c || fail "dies.c"
for isolate in reset fork; do
    opens --isolate=$isolate ./dies
    shows 'Who moves?'
    types c
    shows 'ERROR: heddle: crash: the process ended'
    types q g
    shows ' step 0, 3 ahead *$'
    types c
    shows 'ERROR: heddle: crash: the process ended'
    types q u u 1
    shows 'load x = 0'
    types q
    shows '^exit code 0'
done
opens --step-timeout=300ms "$programs/divergence_wrong"
shows 'Who moves?'
types c
shows 'ERROR: heddle: divergence'
types q u
shows ', 1 ahead *$'
types q
shows '^exit code 0'

# --- machines
opens "$programs/protocols/german"
shows 'Who moves?'
types 0 0 r 12 Enter
shows ' send [A-Z_]* to '
types u q
shows '^exit code 0'

# --- the screen in the tutorial
awk '/^```c$/ && !done { on = 1; next } /^```$/ && on { on = 0; done = 1 } on' \
    "$SOURCE/docs/TUTORIAL.md" >cache.c
awk '/^```text$/ { getline; on = /^ heddle sim / } /^```$/ { on = 0 } on' "$SOURCE/docs/TUTORIAL.md" >shown
[ -s shown ] || fail "the tutorial shows no screen"
"$HEDDLE" cc -o cache cache.c || fail "cache.c"
runs 1 "$HEDDLE" run -q ./cache
opens cache.trace
shows 'Who moves?'
types f f f
shows ' step 3, 5 ahead *$'
sed 's/ *$//' shown >expected
as_shown() {
    screen | sed 's/ *$//' >drawn
    cmp -s expected drawn
}
await as_shown || fail "the tutorial shows another screen: $(cat drawn)"
types 1 c
shows 'the program has ended: nothing is wrong'
types q

# --- gdb, where the selected task is about to move, and back
if can_debug; then
    opens "$programs/abba_wrong"
    shows 'Who moves?'
    types 0 1 d
    shows 'Step 3 of 3 is about to happen: T1 (save): lock savings_lock'
    types 'print savings' Enter
    shows '= 100'
    types C-c # this key goes to gdb
    shows 'Quit'
    types 'kill' Enter y Enter 'quit' Enter
    shows 'back from gdb'
    shows ' step 2 *$'
    types 0
    shows 'ERROR: heddle: deadlock'
    types q d
    shows 'This is after step 3 of 3'
    types 'kill' Enter y Enter 'quit' Enter
    shows 'back from gdb'
    types q
    shows '^exit code 0'
fi

# --- with colours and without
opens "$programs/abba_wrong"
shows 'can move'
shows '\[32mcan move\|\[7m' -e
types 0
shows ' step 1 *$'
shows '\[32mcan move' -e
types q
opens NO_COLOR=1 "$programs/abba_wrong"
shows 'can move'
types 0
shows ' step 1 *$'
screen -e | grep -q '\[3[0-8]mcan\|\[3[1-8]m' && fail "colours: $(screen -e)"

# --- ended by a signal: the terminal is restored, and the program has ended
opens "$programs/abba_wrong"
shows 'can move'
# child_of PID: prints its only child.
child_of() {
    children_of "$1" | tr -d ' '
}
program_runs() {
    [ "$(readlink "/proc/$program/exe")" = "$(readlink -f "$programs/abba_wrong")" ]
}
tool=$(child_of "$(terminal display-message -p '#{pane_pid}')")
program=$(child_of "$tool")
program_runs || fail "no program: $program"
kill -TERM "$tool"
shows 'heddle: interrupted'
shows '^exit code 3'
program_runs && fail "the program is still there"

# --- errors
opens "$programs/nothing"
shows 'No such file'
shows '^exit code 2'
opens --races=ignore found.trace
shows 'a trace has its own options'
shows '^exit code 2'
opens --strategy=dfs "$programs/abba_wrong"
shows "unknown option '--strategy'"
shows '^exit code 2'
head -c 300 found.trace >cut.trace
opens cut.trace
shows 'cut.trace: '
shows '^exit code 2'
opens nothere.trace
shows 'nothere.trace: No such file or directory'
shows '^exit code 2'
opens TERM=dumb "$programs/abba_wrong"
shows 'cannot draw on this terminal'
shows '^exit code 2'
runs 2 "$HEDDLE" sim "$programs/abba_wrong" </dev/null
says 'needs a terminal' err
runs 2 "$HEDDLE" sim
runs 0 "$HEDDLE" sim --help
says 'heddle sim .*TRACE'
exit $failed
