#!/bin/sh
# The number of a machine says how many machines were created before it in this execution, as
# without the tool. So a program that compares numbers gets the same answer under every strategy,
# explorer and seed.
set -u
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/numbers.c" <<'END'
#include <heddle/machine.h>
#include <string.h>

struct who { machine_id who; };
EVENT(CHILD, struct who);
EVENT(GO);
static const char *which;
static bool is(const char *name) { return strcmp(which, name) == 0; }

struct node { machine_id boss, first; int late; };
DECLARE_MACHINE(Boss, struct node);
DECLARE_MACHINE(Creator, struct node);
DECLARE_MACHINE(Child, struct node);
MACHINE(Child, START("A"));

static void create(struct node *me, const void *none) {
    (void)none;
    machine_send(me->boss, CHILD, machine_create(Child));
}
static void create_at_once(struct node *me) { if (!me->late) create(me, NULL); }
MACHINE(Creator, START("A", ENTRY(create_at_once), ON(GO, create)));

static void begin(struct node *me) {
    if (is("siblings")) {
        machine_id a = machine_create(Child), b = machine_create(Child);
        heddle_assert(machine_self() == 1 && a == 2 && b == 3);
    } else if (is("sent-first")) {
        machine_id other = machine_create(Creator, .boss = machine_self(), .late = 1);
        machine_send(other, GO);
        me->first = machine_create(Child);
    } else {
        machine_create(Creator, .boss = machine_self());
        machine_create(Creator, .boss = machine_self());
    }
}
static void compare(struct node *me, const struct who *child) {
    if (me->first == 0) { me->first = child->who; return; }
    if (is("differ")) heddle_assert(me->first != child->who);
    if (is("rises") || is("sent-first")) heddle_assert(me->first < child->who);
    if (is("falls")) heddle_assert(me->first > child->who);
}
MACHINE(Boss, START("A", ENTRY(begin), ON(CHILD, compare)));

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    return machine_start(Boss);
}
END
"$HEDDLE" cc -g -O1 -o "$work/numbers" "$work/numbers.c" || fail "numbers.c does not compile"

one() { # case, exit code, options...
    name=$1 code=$2
    shift 2
    checked=$((checked + 1))
    "$HEDDLE" run -q --output="$work" "$@" "$work/numbers" "$name" >"$work/out" 2>&1
    status=$?
    [ $status = "$code" ] || fail "$name: $*: exit code $status, not $code: $(head -n 2 "$work/out")"
}

all() { # case, exit code
    for strategy in dfs optimal source classic persistent observers portfolio preemption-bounding depth-bounding; do
        one "$1" "$2" --strategy=$strategy
    done
    for explorer in rtc rr; do
        one "$1" "$2" --strategy=ses --explorer=$explorer
    done
    for seed in 1 2 3; do
        one "$1" "$2" --strategy=ses --explorer=prr --seed=$seed
        one "$1" "$2" --strategy=ses --explorer=random --seed=$seed
    done
}

all siblings 0   # one machine creates them, one after the other
all differ 0     # two machines have different numbers
all rises 1      # either creator may be the first, and either creator's events may come first
all falls 1
all sent-first 1 # the other machine creates before Boss goes on after its send, or later

# Without the order, different machines still have different numbers. The report must say so.
one differ 0 --machine-numbers=names
"$HEDDLE" run --machine-numbers=names "$work/numbers" differ 2>&1 | tr -s '\n ' ' ' | grep -q 'names without an order (--machine-numbers=names)' ||
    fail "differ: the report does not mention --machine-numbers=names"
finish
