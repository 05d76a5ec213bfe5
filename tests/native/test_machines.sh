#!/bin/sh
# Each wrong machine gets one clear line, and right machines are right under every strategy.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/cases.c" <<'END'
#include <heddle/machine.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text { char bytes[8]; };
EVENT(GO);
EVENT(TEXT, struct text);
EVENT(REPLY);
EVENT(NEVER);

int shared;
static const char *which;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const struct machine_channel narrow = {.bound = 1, .full = MACHINE_FULL_BLOCKS};
static const struct machine_channel leaky = {.bound = 1, .full = MACHINE_FULL_DROPS};
static const struct machine_channel lossy = {.loses = true, .doubles = true};
static const struct machine_channel twice = {.doubles = true, .bound = 1, .full = MACHINE_FULL_DROPS};

static bool is(const char *name) { return strcmp(which, name) == 0; }

struct peer { machine_id boss; int seen; int *pointer; };
DECLARE_MACHINE(Peer, struct peer);
DECLARE_MACHINE(Quitter, struct peer);
DECLARE_MACHINE(Small, struct peer);
DECLARE_MACHINE(One, struct peer);
DECLARE_MACHINE(Teller, struct peer);
DECLARE_MACHINE(UnknownState, struct peer);
DECLARE_MACHINE(TwoRows, struct peer);
DECLARE_MACHINE(TwoStates, struct peer);
DECLARE_MACHINE(NoStart, struct peer);
DECLARE_MACHINE(Stacked, struct peer);

static void see(struct peer *me, const struct text *text) { (void)text; me->seen++; }
static void quit(struct peer *me, const struct text *text) { (void)me, (void)text; machine_halt(); }
static void reply(struct peer *me, const void *none) { (void)none; machine_send(me->boss, REPLY); }
static void poke(struct peer *me, const void *none) { (void)none; *me->pointer = 1; }
MACHINE(Peer, START("Here", ON(TEXT, see), ON(GO, reply)));
MACHINE(Quitter, START("Here", ON(TEXT, quit)));
MACHINE(Small, QUEUE(2), START("Asleep", DEFER(TEXT), GOTO(GO, "Awake")), STATE("Awake", ON(TEXT, see)));
MACHINE(One, QUEUE(1), START("Here", ON(TEXT, see)));
static void tell(struct peer *me) { machine_send(me->boss, TEXT, .bytes = "abc"); }
static void quit_and_tell(struct peer *me, const struct text *text) { (void)text; tell(me); machine_halt(); }
MACHINE(Teller, START("Here", ENTRY(tell), ON(TEXT, quit_and_tell)));
MACHINE(UnknownState, START("Here", GOTO(GO, "Hree")));
MACHINE(TwoRows, START("Here", ON(TEXT, see), IGNORE(TEXT)));
MACHINE(TwoStates, START("Here"), STATE("Here"));
MACHINE(NoStart, STATE("Here", ON(TEXT, see)));
MACHINE(Stacked, START("Low", ON(TEXT, see), PUSH(GO, "High")),
        STATE("High", POP(REPLY), IGNORE(GO)));
DECLARE_MACHINE(Poker, struct peer);
MACHINE(Poker, START("Here", ON(GO, poke)));

struct nosy { int seen; };
DECLARE_MACHINE(Nosy, struct nosy);
static void talk(struct nosy *me, const void *none) { (void)me, (void)none; machine_send(1, GO); }
static void at_end(struct nosy *me) { heddle_assert(me->seen != 2 || is("three")); me->seen += 10; }
static void count(struct nosy *me, const struct text *text) { (void)text; me->seen++; }
MONITOR(Nosy, AT_END(at_end), START("Here", ON(REPLY, talk), ON(TEXT, count)));

struct boss { int rounds; };
DECLARE_MACHINE(Boss, struct boss);

static void send_text(machine_id to) { machine_send(to, TEXT, .bytes = "abc"); }

static void begin(struct boss *me) {
    if (is("unknown-state")) machine_create(UnknownState);
    if (is("two-rows")) machine_create(TwoRows);
    if (is("two-states")) machine_create(TwoStates);
    if (is("no-start")) machine_create(NoStart);
    if (is("unhandled")) machine_send(machine_create(Peer), NEVER);
    if (is("unknown-goto")) machine_goto("Nowhere");
    if (is("two-moves")) { machine_goto("Other"); machine_halt(); }
    if (is("nobody")) machine_send(77, GO);
    if (is("unborn")) { machine_send(machine_self() + 1, GO); machine_create(Peer, .boss = machine_self()); }
    if (is("guess")) { machine_create(Teller, .boss = machine_self() + 2); machine_create(Peer); }
    if (is("three")) { machine_id to = machine_create(Small); for (int i = 0; i < 3; i++) machine_create(Teller, .boss = to); machine_send(to, GO); }
    if (is("halts")) { machine_id a = machine_create(Peer), b = machine_create(Teller, .boss = a); send_text(b); send_text(b); }
    if (is("twice")) machine_send_over(&twice, machine_create(One), TEXT, .bytes = "x");
    if (is("ends")) for (int i = 0; i < 2; i++) send_text(machine_create(Peer, .boss = 0));
    if (is("halted")) { machine_id to = machine_create(Quitter); send_text(to); send_text(to); }
    if (is("overflow")) { machine_id to = machine_create(Small); for (int i = 0; i < 3; i++) send_text(to); }
    if (is("forever")) for (;;) me->rounds++;
    if (is("raises")) machine_raise(GO);
    if (is("goes")) machine_goto("Here");
    if (is("payload")) { char c = 0; machine_send_at(NULL, machine_create(Peer), &TEXT, &c, sizeof c); }
    if (is("global")) shared = 1;
    if (is("lock")) pthread_mutex_lock(&mutex);
    if (is("malloc")) machine_raise_at(&NEVER, malloc(10), 0);
    if (is("random")) me->rounds = rand();
    if (is("clock")) me->rounds = (int)time(NULL);
    if (is("foreign")) machine_send(machine_create(Poker, .pointer = &me->rounds), GO);
    if (is("pop")) machine_pop();
    if (is("nosy")) machine_send(machine_create(Peer, .boss = machine_self()), GO);
    if (is("at-end")) { machine_id to = machine_create(Peer); send_text(to); send_text(to); }
    if (is("print")) printf("%d\n", me->rounds);
    if (is("receive")) machine_receive(&REPLY);
    if (is("crash")) me->rounds = *(int *)(long)me->rounds;
    if (is("choose")) heddle_assert(heddle_choose(3) != 2);
    /* right cases */
    if (is("stack")) { machine_id to = machine_create(Stacked); machine_send(to, GO); send_text(to); machine_send(to, GO); machine_send(to, REPLY); send_text(to); }
    if (is("receives")) { machine_id to = machine_create(Peer, .boss = machine_self()); machine_send(to, GO); machine_send(to, GO); machine_receive(&REPLY); machine_receive(&NEVER, &REPLY); machine_halt(); }
    if (is("narrow")) { machine_id to = machine_create(Peer); for (int i = 0; i < 3; i++) machine_send_over(&narrow, to, TEXT, .bytes = "x"); }
    if (is("leaky")) { machine_id to = machine_create(Peer); for (int i = 0; i < 3; i++) machine_send_over(&leaky, to, TEXT, .bytes = "x"); }
    if (is("lossy")) { machine_id to = machine_create(Peer); machine_send_over(&lossy, to, TEXT, .bytes = "x"); }
}
static void again(struct boss *me, const void *none) { (void)me, (void)none; machine_raise(GO); }
static void got(struct boss *me, const void *none) { (void)none; me->rounds++; }
MACHINE(Boss, START("Here", ENTRY(begin), ON(GO, again), ON(REPLY, got)), STATE("Other"));

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    if (is("nosy") || is("at-end") || is("lossy") || is("three")) machine_watch(Nosy);
    if (is("ends")) machine_watch(Nosy, .seen = 5);
    if (is("not-a-monitor")) machine_watch(Boss, .rounds = 0);
    return machine_start(Boss);
}
END
"$HEDDLE" cc -g -O1 -Wno-infinite-recursion -o "$work/cases" "$work/cases.c" || fail "cases.c does not compile"

# `wrong CASE KIND TEXT OPTIONS...`: there must be a finding of this kind that contains TEXT,
# wherever its lines are broken.
wrong() {
    name=$1 kind=$2 text=$3
    shift 3
    checked=$((checked + 1))
    rm -f "$work/a.trace"
    run_tool --strategy=dfs --step-timeout=300ms --json="$work/a.json" --trace="$work/a.trace" "$@" \
        "$work/cases" "$name"
    [ "$status" = 1 ] || fail "$name: exit code $status: $(head -n 2 "$work/out")"
    [ "$(kinds "$work/a.json")" = "$kind" ] || fail "$name: $(kinds "$work/a.json") instead of $kind"
    tr -s '\n ' ' ' <"$work/out" | grep -q -e "$text" || fail "$name: no '$text' in: $(head -n 1 "$work/out")"
    "$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
    [ $? = 1 ] || fail "$name: the replay differs: $(tail -n 1 "$work/out")"
}

wrong unknown-state machine-misuse 'machine UnknownState: state "Hree", where "Here" goes on GO, is unknown'
wrong two-rows machine-misuse 'state "Here" has two rows for event TEXT'
wrong two-states machine-misuse 'two states are named "Here"'
wrong no-start machine-misuse 'has 0 START states instead of one'
wrong unhandled unhandled-event 'event NEVER is not handled by Peer in state "Here"'
wrong unknown-goto machine-misuse 'Boss goes to state "Nowhere", which is unknown'
wrong two-moves machine-misuse 'asks for two moves'
wrong nobody machine-misuse 'event GO is sent to machine 77, which does not exist'
wrong unborn machine-misuse 'event GO is sent to machine 2, which does not exist'
wrong halted machine-misuse 'event TEXT is sent to Quitter 2, which has halted' --halted=report
wrong overflow queue-overflow 'event TEXT is one too many for Small 2: 2 wait'
wrong forever divergence 'no operation within 300 ms'
wrong raises machine-misuse 'Boss raises more than 100 events in a row, now GO'
wrong goes machine-misuse 'goes from state to state without end'
wrong payload machine-misuse 'event TEXT carries 8 bytes (struct text), not 1'
wrong global machine-misuse 'writes to memory that is not its own'
wrong lock machine-misuse 'lock in a machine: machines share nothing but events'
wrong malloc machine-misuse 'allocates memory'
wrong random machine-misuse 'random numbers in a machine: use heddle_choose instead'
wrong clock machine-misuse 'a clock in a machine: use heddle_choose instead'
wrong foreign machine-misuse 'writes to memory that is not its own'
wrong pop machine-misuse 'Boss pops state "Here", and there is none below'
wrong nosy machine-misuse 'machine_send in monitor Nosy, which may only look on'
wrong at-end assertion 'me->seen != 2'
wrong not-a-monitor machine-misuse 'Boss is a machine, not a monitor'
wrong receive blocked-forever 'task blocked for ever'
wrong crash crash 'SIGSEGV'
wrong choose assertion 'heddle_choose(3) != 2'

# `right CASE EXECUTIONS [VERDICT]`: every strategy must say verified, and optimal must have this
# number of executions. VERDICT is the answer of observers, which does not say verified if a queue
# can be full.
right() {
    for strategy in dfs persistent optimal observers source classic; do
        checked=$((checked + 1))
        expected=verified
        [ $strategy != observers ] || expected=${3:-verified}
        run_tool -q --strategy=$strategy --json="$work/a.json" "$work/cases" "$1"
        [ "$(field "$work/a.json" verdict)" = $expected ] ||
            fail "$1: $strategy, $(field "$work/a.json" verdict): $(head -n 2 "$work/out")"
        [ $strategy != optimal ] || [ "$(field "$work/a.json" executions)" = "$2" ] ||
            fail "$1: $(field "$work/a.json" executions) executions by $strategy, not $2"
    done
}
right stack 1     # one sender and one receiver: one order
right receives 1
right halted 1    # no matter when the second event comes, it waits until the machine halts
right leaky 4 undecided # the second and the third event find room or not: 2 * 2
right lossy 3     # the event arrives, is lost, or arrives twice
right print 1
right twice 3 undecided # the event arrives once, or twice, and then the second finds room or not: 1 + 2
right ends 1

# Three machines stand before their sends from the start, and the queue has room for two. The number
# of waiting events matters to each of them, although none waits when they come there. Two further
# cases: an event that comes too late, and one that comes too early because its sender guesses the
# number of its receiver.
for strategy in dfs ses optimal observers source classic persistent; do
    wrong halted machine-misuse 'TEXT is sent to Quitter 2, which has halted' --halted=report --strategy=$strategy
    wrong guess machine-misuse 'TEXT is sent to machine 3, which does not exist' --strategy=$strategy
    wrong three queue-overflow 'event TEXT is one too many for Small 2: 2 wait' --strategy=$strategy
done

# `states CASE FINAL`: there must be FINAL final states, and every explorer of ses must see the same
# number of states.
states() {
    checked=$((checked + 2))
    run_tool -q --strategy=dfs --final-states --json="$work/a.json" "$work/cases" "$1"
    [ "$(field "$work/a.json" final_states)" = "$2" ] ||
        fail "$1: $(field "$work/a.json" final_states) final states, not $2: $(head -n 1 "$work/out")"
    seen=
    for explorer in rr rtc prr random; do
        run_tool -q --strategy=ses --explorer=$explorer --json="$work/a.json" "$work/cases" "$1"
        [ "$(field "$work/a.json" states)" -gt 1 ] &&
            [ "${seen:=$(field "$work/a.json" states)}" = "$(field "$work/a.json" states)" ] ||
            fail "$1: $(field "$work/a.json" states) states by $explorer, $seen by rr: $(head -n 1 "$work/out")"
    done
}
states ends 1
states halts 1

# A process that is killed leaves its saved states behind. Of two types, the second is the first one
# that the next process uses. Their machines must not be mixed up.
cat >"$work/killed.c" <<'END'
#include <heddle/machine.h>
EVENT(GO);
struct memory { int value; };
DECLARE_MACHINE(Dies, struct memory);
DECLARE_MACHINE(Fails, struct memory);
DECLARE_MACHINE(Boss, struct memory);
static long call(long number, long a, long b) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
    return result;
}
static void die(struct memory *me, const void *none) { (void)me, (void)none; call(231, 3, 0); }
static void go_wrong(struct memory *me, const void *none) { (void)none; heddle_assert(me->value == 1); }
MACHINE(Dies, START("Here", ON(GO, die)));
MACHINE(Fails, START("Here", ON(GO, go_wrong)));
static void begin(struct memory *me) {
    (void)me;
    machine_send(heddle_choose(2) ? machine_create(Fails) : machine_create(Dies), GO);
}
MACHINE(Boss, START("Here", ENTRY(begin)));
int main(void) { return machine_start(Boss); }
END
"$HEDDLE" cc -g -O1 -o "$work/killed" "$work/killed.c" || fail "killed.c does not compile"
for strategy in dfs ses optimal; do
    checked=$((checked + 1))
    run_tool -q --strategy=$strategy --keep-going --json="$work/a.json" --output="$work" "$work/killed"
    [ "$(kinds "$work/a.json")" = "assertion crash" ] || fail "killed: $strategy finds $(kinds "$work/a.json")"
done

# Six machines count to four, each by itself: 5^6 states. The increment comes from code that is not
# instrumented and keeps a number of its own, so the tool does not see its changes. A search by
# states repeats a known step now and then, and must notice the difference. Without this number
# everything is right.
cat >"$work/hidden.c" <<'END'
int hidden(void);
int hidden(void) { static int calls; return HIDES && calls++ > 40 ? 2 : 1; }
END
cat >"$work/counts.c" <<'END'
#include <heddle/machine.h>
EVENT(GO);
struct memory { int value; };
int hidden(void);
DECLARE_MACHINE(Counter, struct memory);
DECLARE_MACHINE(Boss, struct memory);
static void count(struct memory *me, const void *none) {
    (void)none;
    me->value += hidden();
    if (me->value < 4) machine_send(machine_self(), GO);
}
MACHINE(Counter, START("Here", ON(GO, count)));
static void begin(struct memory *me) {
    (void)me;
    for (int i = 0; i < 6; i++) machine_send(machine_create(Counter), GO);
}
MACHINE(Boss, START("Here", ENTRY(begin)));
int main(void) { return machine_start(Boss); }
END
for hides in 0 1; do
    checked=$((checked + 1))
    cc -DHIDES=$hides -c -o "$work/hidden.o" "$work/hidden.c" &&
        "$HEDDLE" cc -g -O1 -o "$work/counts$hides" "$work/counts.c" "$work/hidden.o" ||
        fail "counts.c does not compile"
    rm -f "$work/a.json"
    "$HEDDLE" run -q --strategy=ses --json="$work/a.json" "$work/counts$hides" >"$work/out" 2>&1
    case $?,$hides,$(field "$work/a.json" verdict),$(field "$work/a.json" states) in
    0,0,verified,???*) ;;
    4,1,uncontrolled,*) grep -q 'it uses memory that is not its own' "$work/out" || fail "counts$hides: $(cat "$work/out")" ;;
    *) fail "counts$hides: $(head -n 1 "$work/out")" ;;
    esac
done
finish
