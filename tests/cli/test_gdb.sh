#!/bin/sh
# test_gdb.sh - `heddle replay --gdb`, by scripted sessions. Steps have the numbers of the report, variables have the
# values of that moment, every task has its stack, gdb's own commands work, and no process is left running.
. "$SOURCE/tests/cli/cli.sh"
can_debug || { echo "no gdb here"; exit 77; }

# debug TRACE COMMAND...: runs commands in gdb. Each command is printed before its output, so that `after` can find
# it.
debug() {
    trace=$1
    shift
    words=-batch
    for command; do
        words="$words -ex 'echo >$command\\\\n' -ex '$command'"
    done
    timeout $patience "$HEDDLE" replay "$trace" --gdb="$words -ex 'echo'" >out 2>&1 || fail "gdb ended with $?: $(cat out)"
    says_not Traceback
    says_not 'Python Exception'
}

# after COMMAND PATTERN [N]: the output of the N-th use of that command (the first by default) must contain the
# pattern.
after() {
    awk -v command=">$1" -v wanted="${3:-1}" '
        /^>/ { count += $0 == command; on = $0 == command && count == wanted; next }
        on' out >said
    grep -q -e "$2" said || fail "no '$2' after '$1': $(cat out)"
}

cat >count.c <<'END'
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int counter;

static int get(void) {
    pthread_mutex_lock(&lock);
    int value = counter;
    pthread_mutex_unlock(&lock);
    return value;
}

static void put(int value) {
    pthread_mutex_lock(&lock);
    counter = value;
    pthread_mutex_unlock(&lock);
}

static void *add(void *argument) {
    int amount = *(int *)argument;
    pthread_rwlock_rdlock(&table);
    int before = get();
    put(before + amount);
    pthread_rwlock_unlock(&table);
    return argument;
}

int main(void) {
    int one = 1;
    int ten = 10;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &ten);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 11);
    return 0;
}

int twice(int value) {
    return 2 * value;
}
END

# Prints the schedule of a trace, without the passing schedule.
schedule_of() {
    "$HEDDLE" show --no-source "$1" | sed '/^Passing schedule/,$d'
}

# Prints the number of the N-th step in a trace that contains the text.
step_of() {
    schedule_of "$1" | sed -n "s/^ *\([0-9][0-9]*\)  .*$2.*/\1/p" | sed -n "${3}p"
}

# A lost update: T1 and T2 both read, then both write.
make_count() {
    runs 0 "$HEDDLE" cc "$@" -g -o count count.c
    runs 1 "$HEDDLE" run -q --trace=count.trace ./count
    schedule_of count.trace >shown
    last=$(sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p' shown | tail -n 1)
    [ "$last" -gt 10 ] || fail "a schedule of $last steps"
    read_at=$(step_of count.trace '11: unlock lock' 2)
    write_at=$(step_of count.trace '18: unlock lock' 1)
    again_at=$(step_of count.trace '18: unlock lock' 2)
}

# At the finding gdb shows the place in the user's code and its source line. There is no step after it.
at_the_finding() {
    debug count.trace 'info locals' 'print counter' 'heddle finding' 'bt' 'next' 'continue' \
        'heddle tasks' 'heddle previous' 'heddle schedule'
    says '^heddle: assertion failed: '
    says "^This is after step $last of $last\. "
    says '^#[0-9]* .*in main () at .*count.c:38$'
    says '^38	    assert(counter == 11);$'
    after 'info locals' '^ten = 10$'
    after 'print counter' ' = 1$\| = 10$'
    after 'heddle finding' '^SUMMARY: heddle: assertion failed count.c:38 in main$'
    after bt '^#[0-9]* .* in main () at .*count.c:38$'
    [ "$(wc -l <said)" -eq 1 ] || fail "more than main in: $(cat said)"
    after next 'The execution ends here'
    after continue 'exited normally'
    after continue "The execution is over\. .heddle goto N' runs it again"
    after 'heddle tasks' 'The program is not being run'
    after 'heddle previous' "^Step $last of $last is about to happen: T0 (main): join T2 (add), count.c:37$"
    after 'heddle schedule' "^=> *$last  T0 (main): join T2 (add), count.c:37$"
}

# Every step is the one of the report.
each_step() { # each step is a line; gdb shows its source, too
    lines=${1-}
    set --
    for step in $(seq 1 "$last"); do
        set -- "$@" "heddle goto $step"
    done
    debug count.trace "$@"
    for step in $(seq 1 "$last"); do
        after "heddle goto $step" "^Step $step of $last is about to happen: "
        line=$(sed -n "s/^Step .*count.c:\([0-9]*\)$/\1/p" said)
        grep -q "^ *$step  \(.* \)\?$line: " shown || fail "step $step is at line $line: $(cat shown)"
        [ "$lines" != lines ] || grep -q "^$line	" said || fail "step $step is not shown: $(cat said)"
    done
}

# Steps forwards and backwards: the memory has the values of each step.
back_and_forth() {
    debug count.trace "heddle goto $read_at" 'print counter' 'heddle schedule' \
        "heddle goto $again_at" 'print counter' 'heddle previous' \
        "heddle previous $((again_at - 1 - write_at))" 'print counter' 'heddle previous' 'print counter' \
        'heddle next' 'heddle next 2' 'heddle next 99'
    after "heddle goto $read_at" "^Step $read_at of "
    after 'print counter' ' = 0$'
    after 'heddle schedule' "^=> *$read_at  T[12] (add): unlock lock, count.c:11$"
    after 'print counter' ' = 1$\| = 10$' 2
    second=$(sed 's/.* = //' said)
    after 'heddle previous' "^Step $((again_at - 1)) of "
    after "heddle previous $((again_at - 1 - write_at))" "^Step $write_at of "
    after 'print counter' " = $((11 - second))$" 3
    after 'heddle previous' "^Step $((write_at - 1)) of " 2
    after 'print counter' ' = 0$' 4
    after 'heddle next' "^Step $write_at of "
    after 'heddle next 2' "^Step $((write_at + 2)) of "
    after 'heddle next 99' "^This is after step $last of $last"
}

# Tasks, their stacks and locals, and the locks, at the step where the second task is about to unlock.
tasks_and_locks() {
    debug count.trace "heddle goto $read_at" 'heddle tasks' 'heddle bt all' 'heddle locks' \
        'heddle task 0' 'print ten' 'print twice(21)' 'heddle task' 'heddle task 9' 'heddle bt 1' 'bt' \
        'heddle goto 1' 'heddle tasks' 'heddle locks' 'heddle task 1' 'bt'
    after 'heddle tasks' '^  T0 (main) waits: join T1 (add), count.c:36$'
    after 'heddle tasks' '^  T1 (add) waits: lock lock, held by T2 (add), count.c:\(16\|25\)$'
    after 'heddle tasks' '^\* T2 (add) runs, count.c:11$'
    after 'heddle bt all' '^#[0-9]* .* in main () at .*count.c:36$'
    [ "$(grep -c ' add (argument=0x[0-9a-f]*) at .*count.c:2[0-9]$' said)" -eq 2 ] || fail "not two: $(cat said)"
    says_not 'src/substrates' said
    after 'heddle locks' '^read lock table: held by T1 (add)$'
    after 'heddle locks' '^read lock table: held by T2 (add)$'
    after 'heddle locks' '^mutex lock: held by T2 (add)$'
    after 'heddle locks' '^  T1 (add) waits for it$'
    after 'heddle task 0' '^T0 (main) does not run now'
    after 'heddle task 0' '^36	'
    after 'print ten' ' = 10$'
    after 'print twice(21)' ' = 42$'
    after 'heddle task' '^T0 (main)'
    after 'heddle task 9' 'Task 9 has no stack'
    after 'heddle bt 1' ' add (argument=.*) at '
    after bt '^#[0-9]* .* in main () at .*count.c:36$' # still the task that is shown
    after 'heddle tasks' '^\* T0 (main) runs, count.c:34$' 2
    after 'heddle locks' '^No lock is held\.$' 2
    after 'heddle task 1' 'has no stack'
    after bt ' in main () at .*count.c:34$' 2
}

make_count -O2
at_the_finding
each_step
back_and_forth
tasks_and_locks
make_count -O0
at_the_finding
each_step lines
back_and_forth
tasks_and_locks

# Frames and locals of other tasks. `next` in the shown task runs the program until that task goes on.
debug count.trace "heddle goto $read_at" 'heddle task 1' 'up' 'print amount' 'info locals' 'heddle task 2' 'up' \
    'print amount' 'heddle task 1' 'next' 'print value' 'bt' 'heddle locks'
after 'print amount' ' = 1$'
after 'info locals' '^before = 0$'
after 'print amount' ' = 10$' 2
after next '^17	    counter = value;$'
after 'print value' ' = 1$'
after bt '^#1 .* in add (argument=.*) at .*count.c:25$'
after 'heddle locks' '^mutex lock: held by T1 (add)$'
says_not 'waits for it' said

# gdb's own commands, and breakpoints of both kinds.
debug count.trace 'tbreak put' 'heddle goto 1' 'step' 'continue' 'finish' 'print amount' 'up' "heddle break $write_at" \
    'heddle break' 'break put' 'run' 'next' 'continue' 'disable 3' 'run' 'delete 2' 'run' 'heddle break 9999' \
    'heddle goto 0' 'heddle goto x' 'heddle next 0' 'watch counter' 'heddle goto 1' 'continue' 'help heddle'
after 'heddle goto 1' '^Step 1 of ' # it does not stop at breakpoints
after step '^35	    pthread_create(&b'
after continue 'Temporary breakpoint 1, .*put (value=1) at .*count.c:15$'
after finish 'add (argument=.*) at .*count.c:2[56]$'
after 'print amount' ' = 1$'
after 'heddle break' "^Breakpoint 2: step $write_at, T2 (add): unlock lock, count.c:18$"
after run 'Breakpoint 3, .*put (value=1) at .*count.c:15$'
after next '^16	\|Breakpoint 3'
after continue "Breakpoint 3, \|^Step $write_at of " 2
after run "^Step $write_at of " 2
after run "^This is after step $last of $last" 3
after 'heddle break 9999' "There is no step 9999: the schedule has steps 1 to $last"
after 'heddle goto 0' 'There is no step 0'
after 'heddle goto x' 'A number is needed'
after 'heddle next 0' 'from 1 on'
after 'heddle goto 1' '^Step 1 of ' 2
after continue '^New value = 10$' 3
after 'help heddle' '^heddle goto -- '
nobody_left

# gdb needs neither the debug information nor the symbols of libheddle.so.
mkdir stripped
cp "$(readlink -f "$BUILD/libheddle.so")" stripped/libheddle.so.0
strip stripped/libheddle.so.0
ln -s libheddle.so.0 stripped/libheddle.so
HEDDLE_LIBDIR=$work/stripped
export HEDDLE_LIBDIR
runs 0 "$HEDDLE" cc -g -o count count.c
runs 1 "$HEDDLE" run -q --trace=count.trace ./count
debug count.trace 'heddle goto 3' 'next' 'heddle bt all' 'heddle previous' 'heddle locks'
after 'heddle goto 3' '^Step 3 of '
after next '^2[0-9]	\|count.c:[0-9]*$'
after 'heddle bt all' '^#[0-9]* .* in main () at .*count.c:3[0-9]$'
after 'heddle bt all' ' in add (argument=.* at .*count.c:2[0-9]$'
after 'heddle previous' '^Step 3 of '
# Nor does it need the debug information of the program: then there are functions, but no lines.
runs 0 "$HEDDLE" cc -g0 -o count count.c
runs 1 "$HEDDLE" run -q --trace=count.trace ./count
debug count.trace 'heddle goto 3' 'heddle bt all'
says '^#[0-9]* .* in main ()$'
after 'heddle goto 3' '^#[0-9]* .* in add ()$'
after 'heddle bt all' '^#[0-9]* .* in main ()$'
unset HEDDLE_LIBDIR

# A deadlock: no task runs, and gdb shows the first task that waits.
runs 1 "$HEDDLE" run -q "$programs/abba_wrong"
debug abba_wrong.trace 'heddle tasks' 'heddle locks' 'heddle previous' 'next' 'next'
says '^#[0-9]* .* in spend () at .*abba_wrong.c:31$'
after 'heddle tasks' '^\* T0 (main) waits: lock checking_lock, held by T1 (save), abba_wrong.c:31$'
after 'heddle tasks' '^  T1 (save) waits: lock savings_lock, held by T0 (main), abba_wrong.c:21$'
after 'heddle locks' '^mutex savings_lock: held by T0 (main)$'
after 'heddle locks' '^  T1 (save) waits for it$'
after next '^21	    pthread_mutex_lock(&savings_lock);$'
after next '^heddle: deadlock: ' 2

# A crash, which is on the stack for signals; and C++, where system headers are not shown as the place.
runs 1 "$HEDDLE" run -q "$programs/null_pointer_wrong"
debug null_pointer_wrong.trace 'heddle tasks' 'heddle previous'
says '^#[0-9]* .* in reader (unused=0x0) at .*null_pointer_wrong.c:21$'
after 'heddle tasks' '^\* T1 (reader) runs, null_pointer_wrong.c:21$'
after 'heddle previous' ': load current = 0, '
runs 1 "$HEDDLE" run -q "$programs/cxx_condition_wrong"
debug cxx_condition_wrong.trace 'heddle tasks' 'heddle bt 1' 'heddle previous' 'heddle locks'
after 'heddle tasks' '^  T1 (waiter) waits: cond wake event, cxx_condition_wrong.cpp:17$'
after 'heddle bt 1' 'in waiter() () at .*cxx_condition_wrong.cpp:17$'
after 'heddle previous' '^17	    event.wait(lock);$'
after 'heddle locks' '^mutex mutex: held by T1 (waiter)$'

# A step that does not end: gdb stops before it. In a batch nothing would end the step.
runs 1 "$HEDDLE" run -q --step-timeout=500ms "$programs/divergence_wrong"
debug divergence_wrong.trace 'heddle next' 'heddle previous' 'continue'
says '^heddle: divergence: '
says '^37	    pthread_join(thread, NULL);$'
after 'heddle next' 'The last step does not end'
after 'heddle previous' ' is about to happen: T[01] (.*): unlock lock, '
after continue ': join T1 (insert), divergence_wrong.c:37$'

# A trace without a finding, which the simulator has saved in the middle: gdb stops at its end.
if command -v tmux >/dev/null; then
    . "$SOURCE/tests/cli/terminal.sh"
    runs 0 "$HEDDLE" cc -g -o count count.c
    opens ./count
    shows 'Who moves?'
    types 0 0 1 1
    shows ' step 4 *$'
    types s Enter
    shows 'saved as count.sim.trace: up to here'
    terminal kill-server
    debug count.sim.trace 'heddle tasks' 'heddle locks' 'heddle next' 'heddle previous' 'continue' 'continue'
    says '^heddle: nothing is wrong up to here$'
    says '^This is after step 4 of 4\. '
    says '^11	    pthread_mutex_unlock(&lock);$'
    after 'heddle tasks' '^\* T1 (add) stands before: unlock lock, count.c:11$'
    after 'heddle locks' '^mutex lock: held by T1 (add)$'
    after 'heddle next' 'The execution ends here'
    after 'heddle previous' '^Step 4 of 4 is about to happen: T1 (add): lock lock, count.c:9$'
    after continue '^This is after step 4 of 4\. '
    after continue 'exited normally' 2
fi

# Machines: an event in an action, an event between actions, and an event that a machine waits for inside an action.
cat >ask.c <<'END'
#include <heddle/machine.h>
EVENT(ASK);
EVENT(ANSWER, int);
struct server { int asked; };
struct client { machine_id server; int got; };
struct boss { char none; };
DECLARE_MACHINE(Server, struct server);
DECLARE_MACHINE(Client, struct client);
DECLARE_MACHINE(Boss, struct boss);
static void answer(struct server *me, const void *nothing) {
    (void)nothing;
    me->asked++;
    machine_send(machine_sender(), ANSWER, me->asked);
}
static void ask(struct client *me) {
    machine_send(me->server, ASK);
    const struct machine_message *reply = machine_receive(&ANSWER);
    me->got = *(const int *)reply->payload;
    heddle_assert(me->got != 2);
}
static void talk(struct client *me) {
    ask(me);
    me->got = 0;
}
static void begin(struct boss *me) {
    (void)me;
    machine_id server = machine_create(Server);
    machine_create(Client, .server = server);
    machine_create(Client, .server = server);
    machine_halt();
}
MACHINE(Server, START("Here", ON(ASK, answer)));
MACHINE(Client, START("Talking", ENTRY(talk)));
MACHINE(Boss, START("Beginning", ENTRY(begin)));
int main(void) { return machine_start(Boss); }
END
runs 0 "$HEDDLE" cc -g -o ask ask.c
runs 1 "$HEDDLE" run -q ./ask
took=$(step_of ask.trace '10: receive' 1)
got=$(step_of ask.trace '22: receive' 1)
debug ask.trace 'print me->got' 'heddle tasks' "heddle goto $took" 'next' 'heddle bt all' 'break answer' \
    'continue' 'next' 'next' 'print me->asked' "heddle goto $got" 'bt'
says '^heddle: assertion failed: '
says '^#[0-9]* .* in ask (me=.*) at .*ask.c:19$'
after 'print me->got' ' = 2$'
after 'heddle tasks' '^  T2 (Server) waits: receive'
after "heddle goto $took" '^None of your code is on the stack now\.$'
after next 'None of your code is on the stack now'
after 'heddle bt all' '^#[0-9]* .* in ask (me=.*) at .*ask.c:17$'
after continue 'Breakpoint 1.*, answer (me=.*) at .*ask.c:1[0-2]$'
after 'print me->asked' ' = [01]$'
after "heddle goto $got" '^17	 '
after bt 'in talk (me=.*) at .*ask.c:22$'

nobody_left
exit $failed
