#!/bin/sh
# The effects of an action come in its order: a halt, an exit, a false assumption and a failure come
# after the sends before them, and other machines may move in between. Every strategy must give the
# same answer, which is derived at each case. `Boss` creates `Peer` in the same action.
set -u
HEDDLE_OPTIONS=minimise=off # minimising does not matter here
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/order.c" <<'END'
#include <heddle/machine.h>
#include <stdlib.h>
#include <string.h>

struct load { int v; };
EVENT(X, struct load);
EVENT(Y, struct load);

static const char *which;
static bool is(const char *name) { return strcmp(which, name) == 0; }
static const struct machine_channel narrow = {.bound = 1, .full = MACHINE_FULL_BLOCKS};
static const struct machine_channel wide = {.bound = 5, .full = MACHINE_FULL_BLOCKS};
static const struct machine_channel wide_drops = {.bound = 5, .full = MACHINE_FULL_DROPS};

struct peer { machine_id boss, other; int mode; };
DECLARE_MACHINE(Pair, struct peer);
DECLARE_MACHINE(One, struct peer);
DECLARE_MACHINE(Echo, struct peer);
DECLARE_MACHINE(Picky, struct peer);
DECLARE_MACHINE(Sleeper, struct peer);
DECLARE_MACHINE(Quick, struct peer);
DECLARE_MACHINE(Filler, struct peer);
DECLARE_MACHINE(Follower, struct peer);
DECLARE_MACHINE(Boss, struct peer);

/* Two machines send twice to each other. */
static void send_twice(struct peer *me) {
    if (me->mode == 0) me->boss = machine_create(Pair, .boss = machine_self(), .mode = is("pair-halts") ? 1 : 2);
    machine_send_over(&narrow, me->boss, X, 1);
    machine_send_over(&narrow, me->boss, X, 2);
    if (is("pair-halts")) machine_halt();
}
MACHINE(Pair, START("A", ENTRY(send_twice), IGNORE(X)));

/* A machine asks and halts. It has room for one answer, and gets two. */
static void ask(struct peer *me) {
    machine_send(me->boss, X, 1);
    if (is("asks-first")) machine_send(me->other, X, 1);
    machine_halt();
}
MACHINE(One, QUEUE(1), START("A", ENTRY(ask), IGNORE(X)));
static void answer(struct peer *me, const struct load *load) {
    (void)load;
    machine_id to = machine_sender();
    machine_send(to, X, 1);
    if (me->mode == 0) machine_send(to, X, 2);
}
MACHINE(Echo, START("A", ON(X, answer)));

static void look(struct peer *me, const struct load *load) { (void)me; heddle_assert(load->v == 0); }
MACHINE(Picky, START("A", ON(X, look), ON(Y, look)));

/* This machine never takes an event. */
MACHINE(Sleeper, QUEUE(2), START("A", DEFER(X), IGNORE(Y)));

/* This machine takes one event, and then ends in one of several ways. */
static void end_at_once(struct peer *me, const struct load *load) {
    (void)me, (void)load;
    if (is("room-halt")) machine_halt();
    if (is("room-exit")) exit(0);
    if (is("room-assume")) heddle_assume(false);
}
MACHINE(Quick, QUEUE(1), START("A", ON(X, end_at_once)));
static void fill(struct peer *me) {
    machine_send_over(&narrow, me->boss, X, 1); /* there is room after Quick has taken the first event */
    if (is("room-halt")) machine_send(me->other, X, 1);
    else heddle_assert(false);
}
MACHINE(Filler, START("A", ENTRY(fill)));
static void follow(struct peer *me, const struct load *load) { (void)load; machine_send(me->boss, X, 2); }
MACHINE(Follower, START("A", ON(X, follow)));

static void begin(struct peer *me) {
    if (is("exit")) { machine_send(machine_create(Picky), X, 1); exit(0); }
    if (is("exit-first")) { machine_id to = machine_create(Picky); if (heddle_choose(1) == 0) exit(0); machine_send(to, X, 1); }
    if (is("exit-status")) { machine_send(machine_create(Picky), X, 0); exit(3); }
    if (is("assume")) { int x = heddle_choose(2); machine_send(machine_create(Picky), X, x); heddle_assume(x == 0); }
    if (is("assume-first")) { int x = heddle_choose(2); heddle_assume(x == 0); machine_send(machine_create(Picky), X, x); }
    if (is("self")) { machine_send(machine_self(), X, 0); machine_halt(); }
    if (is("self-twice")) { for (int i = 0; i < 65; i++) machine_send(machine_self(), X, 0); machine_halt(); }
    if (is("asks") || is("asks-first")) { machine_id echo = machine_create(Echo, .mode = is("asks-first")); machine_create(One, .boss = echo, .other = machine_create(Echo, .mode = 1)); }
    if (is("late")) { machine_id echo = machine_create(Echo, .mode = 1); machine_create(One, .boss = echo); }
    if (is("fails")) { machine_send(machine_create(Picky), X, 1); heddle_assert(me->mode != 0); }
    if (is("held-fails")) { machine_id to = machine_create(Sleeper); for (int i = 0; i < 2; i++) machine_send_over(&narrow, to, X, 0); heddle_assert(me->mode != 0); }
    if (is("wide")) { machine_id to = machine_create(Sleeper); for (int i = 0; i < 3; i++) machine_send_over(&wide, to, X, 0); }
    if (is("wide-drops")) { machine_id to = machine_create(Sleeper); for (int i = 0; i < 3; i++) machine_send_over(&wide_drops, to, X, 0); }
    if (strncmp(which, "room-", 5) == 0) {
        machine_id to = machine_create(Quick);
        machine_send(to, X, 0);
        machine_create(Filler, .boss = to, .other = machine_create(Follower, .boss = to));
    }
}
MACHINE(Boss, START("A", ENTRY(begin), IGNORE(X)));

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    if (strncmp(which, "pair", 4) == 0) return machine_start(Pair);
    return machine_start(Boss);
}
END
"$HEDDLE" cc -g -O1 -o "$work/order" "$work/order.c" || fail "order.c does not compile"

# `all CASE VERDICT [KINDS] OPTIONS...`: checks the answer of every strategy that decides. If a
# queue can be full, observers does not say verified.
all() {
    name=$1 verdict=$2 expected=$3
    shift 3
    for strategy in dfs optimal source classic persistent observers ses preemption-bounding depth-bounding portfolio; do
        checked=$((checked + 1))
        rm -f "$work/a.json"
        "$HEDDLE" run -q --keep-going --strategy=$strategy --output="$work" --json="$work/a.json" "$@" "$work/order" "$name" >"$work/out" 2>&1
        [ "$(kinds "$work/a.json")" = "$expected" ] || fail "$name: $strategy: found '$(kinds "$work/a.json")', not '$expected'"
        [ "$(field "$work/a.json" verdict)" = "$verdict" ] || { [ $strategy = observers ] && [ -z "$expected" ]; } ||
            fail "$name: $strategy: $(field "$work/a.json" verdict): $(head -n 1 "$work/out")"
    done
    for trace in "$work"/*.trace; do
        [ -f "$trace" ] || continue
        "$HEDDLE" replay -q "$trace" >"$work/out" 2>&1
        [ $? = 1 ] || fail "$name: the replay of ${trace##*/} differs: $(tail -n 1 "$work/out")"
    done
    rm -f "$work"/*.trace
}

# `samples CASE KINDS`: the strategies that only sample must find it too.
samples() {
    for strategy in random pct ss; do
        checked=$((checked + 1))
        "$HEDDLE" run -q --strategy=$strategy --max-executions=2000 --output="$work" --json="$work/a.json" "$work/order" "$1" >"$work/out" 2>&1
        [ "$(kinds "$work/a.json")" = "$2" ] || fail "$1: $strategy: found '$(kinds "$work/a.json")'"
    done
    rm -f "$work"/*.trace
}

# Both machines have sent once, both queues are full, and both wait for room. Neither takes an event
# before its action is over. A halt at the end makes no difference.
all pair-waits bug deadlock
all pair-halts bug deadlock
samples pair-halts deadlock
# Both answers can come before One has halted, and its queue has room for one. In the second case
# One asks two machines, which answer once each.
all asks bug queue-overflow
all asks-first bug queue-overflow
samples asks queue-overflow
# There is room for one answer, no matter whether One has halted. But One may have halted, which
# --halted=report reports.
all late verified ""
all late bug machine-misuse --halted=report
# Peer may take X before Boss exits, and X carries a 1, which Peer does not accept. If the exit
# comes first in the action, X is never sent.
all exit bug assertion
all exit-first verified ""
all exit-status bug nonzero-exit
samples exit assertion
# x = 1 is sent before the assumption that forbids it, or is not sent.
all assume bug assertion
all assume-first verified ""
samples assume assertion
# The event waits in the queue of Boss when Boss halts, and is dropped. This is not an event to a
# halted machine. 65 events are one too many for a queue of 64, even if all of them would be
# dropped.
all self verified ""
all self verified "" --halted=report
all self-twice bug queue-overflow
# Both machines fail, each of them first in some execution.
all fails bug assertion
# The second send waits for ever, so the assertion after it is never reached.
all held-fails bug blocked-forever
# Two events may wait there, and one more is a finding, although the channel would let it wait or
# drop it.
all wide bug queue-overflow
all wide-drops bug queue-overflow
# Quick takes an event, so there is room for Filler's event. When Filler fails, Quick has not exited
# or stopped yet. When Follower's event comes, Quick has not halted yet, so this event is one too
# many.
all room-exit bug assertion
all room-assume bug assertion
all room-halt bug queue-overflow
finish
