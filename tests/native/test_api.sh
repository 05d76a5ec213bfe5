#!/bin/sh
# <heddle/heddle.h> and the SV-COMP names: under the tool, without it, and with the stub.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

# `check CODE TEXT COMMAND...`: the command must end with CODE and print TEXT.
check() {
    code=$1 text=$2
    shift 2
    timeout 600 "$@" >out 2>&1
    status=$?
    [ "$status" -eq "$code" ] && grep -qF -- "$text" out ||
        fail "$*: exit code $status, expected $code and '$text': $(cat out)"
}

# `compile ARGUMENT...`: compiles with `heddle cc`.
compile() {
    "$HEDDLE" cc "$@" || fail "it does not compile: $*"
}

# A program like the benchmarks of SV-COMP: without our header.
cat >svcomp.c <<'C'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error() { assert(0); }
int x;
void *add(void *unused) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return unused;
}
int main(void) {
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= LEAST && n < 3);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x + n < 3 && __VERIFIER_nondet_bool())
        reach_error();
    return 0;
}
C
compile -DLEAST=1 -o right svcomp.c
check 0 "inputs were narrowed" "$HEDDLE" run ./right
check 0 "only four values are explored" "$HEDDLE" run ./right
compile -DLEAST=0 -o wrong svcomp.c
check 1 "reach_error" "$HEDDLE" run ./wrong

# Every function of the header in one program. 2 values and 2 orders of the messages.
cat >all.c <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
static struct heddle_mailbox box;
static bool is(void *message, void *wanted) { return message == wanted; }
static void *sender(void *message) { heddle_send(&box, message); return NULL; }
int main(void) {
    pthread_t threads[2];
    void *message = NULL;
    int value = heddle_choose(3);
    heddle_assume(value != 1);
    heddle_note("value is %d", value);
    heddle_hint("initialised");
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, sender, (void *)(i + 1));
    heddle_assert(heddle_receive_if(&box, is, (void *)2) == (void *)2);
    heddle_assert(heddle_receive(&box) == (void *)1);
    heddle_assert(!heddle_try_receive(&box, &message));
    heddle_assert(!heddle_try_receive_if(&box, is, (void *)2, &message));
    heddle_yield();
    heddle_atomic_begin();
    heddle_atomic_begin();
    heddle_atomic_end();
    heddle_atomic_end();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts(heddle_running() ? "under the tool" : "by itself");
    return FAILS;
}
C
compile -DFAILS=0 -o all all.c
check 0 "verified" "$HEDDLE" run ./all
compile -DFAILS=1 -o fails all.c
check 1 "non-zero exit" "$HEDDLE" run ./fails
check 1 "under the tool" "$HEDDLE" replay fails.trace
grep -q "note: value is" out || fail "the note is not in the report"
grep -q "hint: initialised" out || fail "the hint is not in the report"
# The last operation of all is a receive, and the third message is never received.
cat >last.c <<'C'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
static struct heddle_mailbox box;
static char letters[] = "abc";
static void *sender(void *letter) { heddle_send(&box, letter); return NULL; }
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, sender, &letters[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    char *first = heddle_receive(&box), *second = heddle_receive(&box);
    heddle_assert(first != second);
    return 0;
}
C
compile -o last last.c
check 0 "verified" "$HEDDLE" run ./last

for round in 1 2 3; do
    timeout 600 ./all >out 2>&1 || fail "without the tool: $?"
done
cc -DFAILS=0 -I"$SOURCE/include" -o stubbed all.c "$BUILD/libheddle-stub.a" -pthread || fail "it does not compile with the stub"
for round in 1 2 3; do
    timeout 600 ./stubbed >out 2>&1 || fail "with the stub: $?"
done
exit $failed
