#!/bin/sh
# The limits of machines (docs/MACHINES.md). At each limit a program works, and beyond it there is
# one clear line. A limit of the tool leads to a refusal with exit code 5. A limit of machine.h
# leads to a finding.
set -u
HEDDLE_OPTIONS=minimise=off
export HEDDLE_OPTIONS
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/limits.c" <<'END'
#include <heddle/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct large { char bytes[MACHINE_PAYLOAD_MAX]; };
EVENT(LARGE, struct large);
EVENT(GO);
EVENT(E1); EVENT(E2); EVENT(E3); EVENT(E4); EVENT(E5); EVENT(E6); EVENT(E7); EVENT(E8); EVENT(E9);
static const struct machine_event *const many[] = {&E1, &E2, &E3, &E4, &E5, &E6, &E7, &E8, &E9};

static const char *which;
static int size;
static bool is(const char *name) { return strcmp(which, name) == 0; }

struct memory { machine_id to; int left; };
struct huge { int left; char bytes[MACHINE_STATE_MAX - sizeof(int)]; };
_Static_assert(sizeof(struct huge) == MACHINE_STATE_MAX, "as large as allowed");
DECLARE_MACHINE(Boss, struct memory);
DECLARE_MACHINE(Sink, struct memory);
DECLARE_MACHINE(Holder, struct huge);
DECLARE_MACHINE(Deep, struct memory);
static struct machine_type types[200];
static struct machine_row rows[200][70], holder_rows[4];
static char names[200][300];

/* Keeps all events until GO, then checks each of them. */
static void count(struct huge *me, const struct large *large) {
    heddle_assert(large->bytes[0] == (char)me->left && large->bytes[MACHINE_PAYLOAD_MAX - 1] == 7);
    me->left++;
}
static void check(struct huge *me, const void *none) { (void)none; heddle_assert(me->left == size); }
MACHINE(Holder, QUEUE(MACHINE_QUEUE_MAX), START("Asleep", DEFER(LARGE), DEFER(E1), GOTO(GO, "Awake")),
        STATE("Awake", ON(LARGE, count), ON(E1, check)));
MACHINE(Sink, QUEUE(1000), START("Here", DEFER(LARGE))); /* takes no event, so there is one order */

static void go_deeper(struct memory *me, const void *none) { (void)none; if (--me->left > 0) { machine_send(machine_self(), GO); machine_push("Here"); } }
MACHINE(Deep, START("Here", ON(GO, go_deeper)));

static void raise_more(struct memory *me, const void *none) { (void)none; if (--me->left > 0) machine_raise(GO); }

static void send_large(machine_id to, int number) {
    struct large large = {{(char)number}};
    large.bytes[MACHINE_PAYLOAD_MAX - 1] = 7;
    machine_send_at(NULL, to, &LARGE, &large, sizeof large);
}

static void receive_some(void) {
    const struct machine_event *list[16] = {0};
    for (int i = 0; i < size; i++) list[i] = many[i];
    machine_send_at(NULL, machine_self(), many[size - 1], "", 0);
    heddle_assert(machine_receive_at(list)->event == many[size - 1]);
}

static void make_type(int i) {
    snprintf(names[i], sizeof names[i], "Type%d%0200d", i, 0);
    rows[i][0] = (struct machine_row){.kind = MACHINE_ROW_STATE, .state = "Here", .number = 1};
    types[i] = (struct machine_type){names[i], sizeof(struct memory), false, rows[i]};
}

/* Sends `size` events to the holder, in parts of one action each. */
static void send_part(struct memory *me, const void *none) {
    (void)none;
    for (int i = 0; i < 100 && me->left < size; i++) send_large(me->to, me->left++);
    if (me->left < size) { machine_send(machine_self(), GO); return; }
    machine_send(me->to, GO);
    machine_send(me->to, E1);
}

static void begin(struct memory *me) {
    static const struct memory none;
    if (is("sends")) { machine_id to = machine_create(Sink); for (int i = 0; i < size; i++) send_large(to, i); }
    if (is("receives")) receive_some();
    if (is("creates")) for (int i = 0; i < size; i++) machine_create(Sink);
    if (is("holds") || is("overflows")) { me->to = machine_create(Holder); machine_send(machine_self(), GO); }
    if (is("pushes")) machine_send(machine_create(Deep, .left = size), GO);
    if (is("raises")) { me->left = size; machine_raise(GO); }
    if (is("types")) for (int i = 0; i < size; i++) machine_create_at(&types[i], &none);
    if (is("table")) machine_create_at(&types[0], &none);
}
static void go(struct memory *me, const void *none) { if (is("raises")) raise_more(me, none); else send_part(me, none); }
MACHINE(Boss, START("A", ENTRY(begin), ON(GO, go)));

struct watcher { int nothing; };
DECLARE_MACHINE(Watcher, struct watcher);
MONITOR(Watcher, START("Here", IGNORE(GO)));

static void make_states(struct machine_row *row, int count) {
    static char state_names[100][8];
    for (int i = 0; i < count; i++) {
        snprintf(state_names[i], sizeof state_names[i], "S%d", i);
        row[i] = (struct machine_row){.kind = MACHINE_ROW_STATE, .state = state_names[i], .number = i == 0};
    }
}

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "";
    size = argc > 2 ? atoi(argv[2]) : 0;
    for (int i = 0; i < 200; i++) make_type(i);
    if (is("states")) { which = "table"; make_states(rows[0], size); }
    if (is("queue")) { which = "table"; holder_rows[0] = (struct machine_row){.kind = MACHINE_ROW_QUEUE, .number = (unsigned)size}; holder_rows[1] = rows[0][0]; types[0].rows = holder_rows; }
    for (int i = 0; is("monitors") && i < size; i++) machine_watch(Watcher);
    return machine_start(Boss);
}
END
"$HEDDLE" cc -g -O1 -o "$work/limits" "$work/limits.c" || fail "limits.c does not compile"

strategies="dfs ses optimal"
# `limit CODE TEXT CASE SIZE OPTIONS...`: checks the exit code, and that the report contains TEXT,
# wherever its lines are broken.
limit() {
    code=$1 text=$2 name=$3 number=$4
    shift 4
    for strategy in $strategies; do
        checked=$((checked + 1))
        "$HEDDLE" run --strategy=$strategy --output="$work" "$@" "$work/limits" "$name" "$number" >"$work/out" 2>&1
        status=$?
        [ "$status" = "$code" ] || fail "$name $number: $strategy: exit code $status, not $code: $(head -n 3 "$work/out")"
        tr -s '\n ' ' ' <"$work/out" | grep -q -e "$text" || fail "$name $number: $strategy: no '$text' in: $(head -n 2 "$work/out")"
        ! grep -q "Heddle's runtime\|signal 11" "$work/out" || fail "$name $number: $strategy: $(head -n 2 "$work/out")"
    done
}

# An event of 256 bytes takes 40 more bytes in the outbox: 110 * 296 = 32560 of 32768 bytes.
limit 0 verified sends 110
limit 5 'machine_send: one action sends more than 32 KiB' sends 111
limit 0 verified receives 8
limit 5 'machine_receive: of more than 8 events' receives 9
# main and Boss count too: 2 + 8 = 10 tasks.
limit 0 verified creates 8 --max-tasks=10
limit 5 'machine_create: more machines than --max-tasks allows' creates 9 --max-tasks=10
# A queue holds as many events as QUEUE says, no matter what they carry. GO and E1 are the last two
# of 1000.
limit 0 verified holds 998
limit 1 'is one too many for Holder 2: 1000 wait' holds 1000
limit 0 verified queue 1000
limit 1 'QUEUE(1001): from 1 to 1000 events may wait' queue 1001
limit 1 'QUEUE(0): from 1 to 1000 events may wait' queue 0
# The first state and seven more are 8. The last GO pushes none.
limit 0 verified pushes 8
limit 1 'Deep has pushed more than 8 states' pushes 9
limit 0 verified raises 100
limit 1 'raises more than 100 events in a row' raises 101
limit 0 verified states 64
limit 1 'more than 64 states' states 65
limit 0 verified monitors 8
limit 1 'more than 8 monitors' monitors 9
# Boss counts too: at most 120 machines at a time.
strategies=ses
limit 0 verified creates 119
limit 2 'a delaying explorer can order 120 tasks, and after step [0-9]* there are 12[12]' creates 121
# Boss is a type too, so 127 + 1 = 128. The names have 200 characters.
strategies="dfs optimal"
limit 0 verified types 127
limit 5 'machine_create: more than 128 types of machines' types 128

# Limits that the compiler checks.
for wrong in 'struct large { char bytes[257]; }; EVENT(LARGE, struct large);' \
    'struct large { char bytes[16385]; }; DECLARE_MACHINE(Large, struct large);'; do
    checked=$((checked + 1))
    printf '#include <heddle/machine.h>\n%s\nint main(void) { return 0; }\n' "$wrong" >"$work/compile.c"
    "$HEDDLE" cc -o "$work/compile" "$work/compile.c" >"$work/out" 2>&1 && fail "compiles: $wrong"
    grep -q 'at most MACHINE_[A-Z]*_MAX bytes' "$work/out" || fail "$wrong: $(head -n 2 "$work/out")"
done
finish
