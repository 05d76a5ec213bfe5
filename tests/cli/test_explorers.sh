#!/bin/sh
# test_explorers.sh - delaying explorers as a user sees them: built-in ones, a custom one, and wrong ones.
. "$SOURCE/tests/cli/cli.sh"

# Each explorer by its name, and the default.
for explorer in rr rtc prr random; do
    rm -f abba_wrong.trace
    runs 1 "$HEDDLE" run -q --strategy=ss --explorer=$explorer "$programs/abba_wrong"
    runs 1 "$HEDDLE" replay abba_wrong.trace
    runs 0 "$HEDDLE" run --help=all
    says "^  $explorer  *[a-z]"
done
runs 0 "$HEDDLE" run --strategy=ss --json=a.json "$programs/readers" 3
says '^heddle: no bug within the bound: 10,000 ss executions'
says '^  strategy     ss, explorer rtc, seed 1$'
says '^  samples      by delays: [0-9]* with 1,'
says '"delays": 1,' a.json
says '"explorer": "rtc"' a.json
runs 0 "$HEDDLE" run --strategy=ss --delays=1 "$programs/readers" 3
says 'executions with at most 1 delay'
says_not ' with 2'

# An unknown explorer, and a strategy that uses none.
runs 2 "$HEDDLE" run --strategy=ss --explorer=rrr "$programs/readers" 3
says "unknown explorer 'rrr'; there are: rr rtc" err
runs 2 "$HEDDLE" run --strategy=random --explorer=rr "$programs/readers" 3
says "'--explorer' needs a strategy that goes by delays:.* ss" err

# A custom explorer is compiled, loaded, and removed afterwards. If the program dies, it is started again with the
# same explorer.
TMPDIR=$work
export TMPDIR
hold=$SOURCE/programs/explorers/hold_faults.c
runs 1 "$HEDDLE" run --strategy=ss --explorer="$hold" --json=a.json "$programs/abba_wrong"
says '^  strategy     ss, explorer hold-faults, seed 1$' 
says '"verdict": "bug"' a.json
runs 1 "$HEDDLE" replay abba_wrong.trace
runs 1 "$HEDDLE" run --strategy=ss --isolate=fork --explorer="$hold" "$programs/abba_wrong"
cat >dies.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int first;
static void *end(void *unused) {
    if (atomic_load(&first) == 0)
        __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(3) : "rcx", "r11", "memory");
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    atomic_store(&first, 1);
    pthread_join(thread, NULL);
    return 0;
}
C
"$HEDDLE" cc -o dies dies.c || fail "dies.c does not compile"
runs 1 "$HEDDLE" run --strategy=ss --explorer="$hold" --keep-going --max-executions=200 ./dies
says '^  executions   [0-9]* complete'
set -- "$work"/heddle-explorer-*
[ ! -e "$1" ] || fail "left behind: $*"

# The explorer receives the hint: this one lets only the first task move before it.
cat >hint.c <<'C'
#include <heddle/explorer.h>
#include <string.h>
struct state { struct heddle_order order; bool told; };
static uint32_t next(const void *state) { return ((const struct state *)state)->order.tasks[0]; }
static void delay(void *state) {
    struct state *self = state;
    if (!self->told)
        heddle_order_to_back(&self->order, next(state));
}
static void begin(void *state, uint64_t seed) { (void)state, (void)seed; }
static void start(void *state, uint32_t task, const char *kind) {
    (void)kind;
    heddle_order_append(&((struct state *)state)->order, task);
}
static void finish(void *state, uint32_t task) { heddle_order_remove(state, task); }
static void step(void *state, const struct heddle_step *step) {
    if (step->kind == HEDDLE_STEP_HINT && strcmp(step->text, "now") == 0)
        ((struct state *)state)->told = true;
}
const struct heddle_explorer heddle_explorer = {
    "hint", "", sizeof(struct state), begin, next, delay, start, finish, step};
C
cat >hints.c <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x;
static void *add(void *unused) {
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    atomic_fetch_add(&x, 1);
    if (HINT)
        heddle_hint("now");
    atomic_fetch_add(&x, 1);
    pthread_join(thread, NULL);
    return 0;
}
C
runs 0 "$HEDDLE" cc -DHINT=0 -o hints hints.c
runs 0 "$HEDDLE" run --strategy=ss --explorer=hint.c ./hints
# After the hint its delays lead nowhere: the explorer is not sound, and Heddle says so.
runs 0 "$HEDDLE" cc -DHINT=1 -o hints hints.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=hint.c ./hints
says "^heddle: the explorer 'hint' is not sound: after step [0-9]*, 1 task is enabled" err

# Wrong explorers: one line of error each, and the messages of the compiler.
runs 2 "$HEDDLE" run --strategy=ss --explorer=./none.c "$programs/readers"
says '^heddle: --explorer: ./none.c: No such file' err
echo 'int x = y;' >bad.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=bad.c "$programs/readers"
says 'bad.c:1:9: error:' err
says '^heddle: --explorer: bad.c does not compile$' err
echo 'int x;' >bad.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=bad.c --json=a.json "$programs/readers"
says '^heddle: --explorer: bad.c: it does not define .const struct heddle_explorer heddle_explorer.$' err
says '"verdict": "usage-error"' a.json
sed 's/delay, start/0, start/' hint.c >bad.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=bad.c "$programs/readers"
says '^heddle: --explorer: bad.c: .heddle_explorer. has no function .delay.$' err
sed 's/sizeof(struct state), begin/4096, begin/' hint.c >bad.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=bad.c "$programs/readers"
says '^heddle: --explorer: bad.c: its state has 4096 bytes, and may have 512$' err
sed 's/"hint", ""/0, ""/' hint.c >bad.c
runs 2 "$HEDDLE" run --strategy=ss --explorer=bad.c "$programs/readers"
says 'has no name$' err
set -- "$work"/heddle-explorer-*
[ ! -e "$1" ] || fail "left behind: $*"

# Searches in strata say which kind of strata they use, and which ones they have completed.
for strategy in ses ses+ss preemption-bounding depth-bounding; do
    runs 0 "$HEDDLE" run --strategy=$strategy --json=a.json "$programs/abba_right"
    says '^heddle: verified: all [0-9,]* states, nothing cut off'
    states=$(sed -n 's/^  "states": \([0-9]*\),$/\1/p' a.json)
    [ "$states" -gt 1 ] && [ "${all:=$states}" = "$states" ] || fail "$strategy has $states states, not $all"
    rm -f abba_wrong.trace
    runs 1 "$HEDDLE" run -q --strategy=$strategy "$programs/abba_wrong"
    runs 1 "$HEDDLE" replay abba_wrong.trace
done
says '"steps": 5,' a.json
# A program that never ends: all its states are explored, and none is a last one.
cat >forever.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *flip(void *unused) {
    for (;;)
        atomic_fetch_xor(&x, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, flip, NULL);
    flip(NULL);
}
END
runs 0 "$HEDDLE" cc -o forever forever.c
runs 3 "$HEDDLE" run --strategy=ses ./forever
says '^heddle: not verified: no bug in all [0-9]* states; no execution came to its end'
runs 0 "$HEDDLE" run --strategy=preemption-bounding --preemptions=0 --json=a.json "$programs/readers" 3
says '^heddle: no bug within the bound: [0-9]* states, the stratum of 0 preemptions'
says '"preemptions": 0,' a.json
runs 3 "$HEDDLE" run --strategy=ses+ss --memory=256K --max-executions=20000 "$programs/readers" 10
says '^heddle: no bug so far: --max-executions ended the search after [0-9,]* states'
says '^  samples      by delays: [0-9]* with [0-9]*'

# A portfolio runs several strategies in turn and says what each one did; a second run gives the same.
runs 0 "$HEDDLE" run --strategy=portfolio --json=a.json "$programs/readers" 4
says '^heddle: verified by optimal: all 16 executions, nothing cut off$'
says '^  ses rtc      .*; left: remembers states, not data races (see --races)$'
says '"name": "ss rtc",' a.json
grep -A60 '"members"' a.json | sed '/^  \]/q' >first
runs 0 "$HEDDLE" run --strategy=portfolio --json=a.json "$programs/readers" 4
grep -A60 '"members"' a.json | sed '/^  \]/q' >second
[ -s first ] && cmp -s first second || fail "a second run is another one"
runs 0 "$HEDDLE" run --strategy=portfolio --races=ignore "$programs/readers" 4
says '^  ses rtc  .* states$'
runs 1 "$HEDDLE" run --strategy=portfolio --json=a.json "$programs/abba_wrong"
says '^found by ss rtc$'
says '"found_by": "ss rtc"' a.json
[ -s abba_wrong.trace ] || fail "no abba_wrong.trace"
runs 1 "$HEDDLE" replay abba_wrong.trace
runs 2 "$HEDDLE" run --strategy=portfolio --delays=2 "$programs/abba_wrong"

exit $failed
