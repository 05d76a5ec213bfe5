#!/bin/sh
# The runtime does not record accesses of tasks to their own stacks until another task accesses
# them. The answers must be the same as with everything recorded (--isolate=fork), even if the other
# task comes late, or by an atomic operation. With --races=explore, and for strategies that remember
# states, the search begins again then.
set -u
. "$SOURCE/tests/programs/programs.sh"

build() { # name, options for the compiler
    name=$1
    shift
    "$HEDDLE" cc -g "$@" -o "$work/$name" "$work/$name.c" || fail "$name: does not compile"
}

same() { # name, options: compares with a run in which everything is recorded
    name=$1
    shift
    run_tool -q --keep-going --json="$work/a.json" "$@" "$work/$name"
    run_tool -q --keep-going --json="$work/b.json" --isolate=fork "$@" "$work/$name"
    checked=$((checked + 1))
    one="$(answer "$work/a.json") $(field "$work/a.json" executions)"
    other="$(answer "$work/b.json") $(field "$work/b.json" executions)"
    [ "$one" = "$other" ] || fail "$name $*: '$one', with everything recorded '$other'"
}

verdict() { # name, verdict, options
    name=$1 wanted=$2
    shift 2
    rm -f "$work/$name.trace"
    run_tool -q --trace="$work/$name.trace" --json="$work/a.json" "$@" "$work/$name"
    checked=$((checked + 1))
    [ "$(field "$work/a.json" verdict)" = "$wanted" ] ||
        fail "$name $*: $(field "$work/a.json" verdict), not $wanted"
    [ "$wanted" = bug ] || return
    "$HEDDLE" replay -q "$work/$name.trace" >"$work/out" 2>&1
    [ $? = 1 ] || fail "$name $*: the replay differs: $(cat "$work/out")"
}

# A local variable of main, incremented by two threads.
cat >"$work/local.c" <<'END_C'
#include <assert.h>
#include <pthread.h>
static void *increment(void *number) {
    int *x = number;
    *x = *x + 1;
    return NULL;
}
int main(void) {
    int x = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, increment, &x);
    if (!ORDERED)
        x = x + 1;
    pthread_join(thread, NULL);
    if (ORDERED)
        x = x + 1;
    assert(x == 2);
    return 0;
}
END_C

# Each task has its own element of an array of main, some of them far apart. With LATE, a task also
# accesses its neighbour's element if the neighbour was first.
cat >"$work/array.c" <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
enum { TASKS = 3, APART = 300 };
static long *elements;
static atomic_int first;
static void *fill(void *number) {
    intptr_t me = (intptr_t)number;
    long local = me, *own = &local;
    *own += 1;
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&first, &nobody, (int)me + 1) && LATE && nobody == me)
        elements[(me - 1) * APART]++;
    elements[me * APART] = *own;
    return NULL;
}
int main(void) {
    long array[TASKS * APART];
    pthread_t threads[TASKS];
    elements = array;
    for (intptr_t i = 0; i < TASKS; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < TASKS; i++)
        pthread_join(threads[i], NULL);
    return array[0] < 1;
}
END_C

# The owner sets the variable with a plain write while another task uses it as an atomic. The other
# variant is right.
cat >"$work/atomic.c" <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
static void *look(void *flag) {
    return atomic_load((atomic_int *)flag) ? flag : NULL;
}
int main(void) {
    atomic_int flag;
    pthread_t thread;
    atomic_init(&flag, 0);
    pthread_create(&thread, NULL, look, &flag);
    if (PLAIN)
        *(int *)&flag = 1;
    else
        atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
END_C

# A loop whose rounds leave their frames. It uses a word of main's stack, and one of its own.
cat >"$work/spin.c" <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
struct lock {
    atomic_int taken;
    long count;
};
static int try(struct lock *lock) {
    int expected = 0, *seen = &expected;
    *seen = 0;
    return atomic_compare_exchange_strong(&lock->taken, seen, 1);
}
static void *add(void *argument) {
    struct lock *lock = argument;
    while (!try(lock))
        ;
    lock->count++;
    atomic_store(&lock->taken, 0);
    return NULL;
}
int main(void) {
    struct lock lock = {0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &lock);
    add(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return lock.count != 3;
}
END_C

# No task sets the value that this one waits for. With -Os, gcc fills up frames by pushing what is
# left in a register. This register comes from our own functions, so its value differs if more is
# recorded.
cat >"$work/filled.c" <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int values[2];
__attribute__((noinline)) static int is_there(int x, int wanted, int *turns) {
    if (atomic_load(&values[x]) == wanted)
        return 1;
    *turns = (*turns + 1) % 2;
    return 0;
}
static void *await(void *unused) {
    int turns = 0;
    while (!is_there(1, 1, &turns))
        ;
    return unused;
}
static void *set(void *unused) {
    atomic_store(&values[0], 1);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, await, NULL);
    (void)atomic_load(&values[0]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_C

# A copy that runs over the end of main's stack, after one that does not.
cat >"$work/over.c" <<'END_C'
#include <pthread.h>
#include <string.h>
static char copy[1 << 16];
static void *look(void *array) {
    memcpy(copy, array, 1);
    memcpy(copy, array, sizeof copy);
    return NULL;
}
int main(void) {
    char array[64] = {0};
    pthread_t thread;
    pthread_create(&thread, NULL, look, array);
    pthread_join(thread, NULL);
    return 0;
}
END_C

# So much of the stack is used that there is no room for our own frames when an access is recorded.
cat >"$work/deep.c" <<'END_C'
#include <alloca.h>
#include <pthread.h>
#include <string.h>
__attribute__((noinline)) static int fill(int *number) {
    char *array = alloca(SIZE);
    memset(array, 1, SIZE);
    (*number)++;
    return array[*number];
}
static void *use(void *number) {
    fill(number);
    return NULL;
}
int main(void) {
    int x = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, use, &x);
    pthread_join(thread, NULL);
    return 0;
}
END_C

for left in 12000 4000 1600 1000 600; do
    build deep -O1 -DSIZE="((8 << 20) - $left)"
    same deep
    for options in "" "--races=explore" "--races=explore --strategy=observers"; do
        verdict deep bug $options
    done
done
build over -O0 -w
same over --timeout=20
verdict over bug --timeout=20
[ "$(kinds "$work/a.json")" = crash ] || fail "over: $(kinds "$work/a.json")"
# A stack of the program's own, on the heap. Then states cannot be compared, and the tool says so.
cat >"$work/coroutine.c" <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>
enum { SIZE = 1 << 16 };
static atomic_int x;
static ucontext_t inside, outside;
static void add(void) {
    x++, x++;
}
static void *add_once(void *unused) {
    x++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add_once, NULL);
    getcontext(&inside);
    inside.uc_stack = (stack_t){.ss_sp = malloc(SIZE), .ss_size = SIZE};
    inside.uc_link = &outside;
    makecontext(&inside, add, 0);
    swapcontext(&outside, &inside);
    pthread_join(thread, NULL);
    free(inside.uc_stack.ss_sp);
    return x != 3;
}
END_C

build coroutine -O1
same coroutine
verdict coroutine verified
verdict coroutine unsupported --strategy=ses
for level in -O0 -Os -O2; do
    build filled $level
    same filled
    verdict filled bug
done
for level in -O0 -O2; do
    build local $level -DORDERED=0
    same local
    verdict local bug
    for options in "--races=explore" "--strategy=ses" "--races=explore --strategy=dfs" \
        "--races=explore --strategy=observers" "--races=explore --isolate=fork" "--races=explore --timeout=1m"; do
        verdict local bug $options
    done
    build local $level -DORDERED=1
    for options in "" "--races=explore" "--strategy=ses"; do
        verdict local verified $options
    done
    for late in 0 1; do
        build array $level -DLATE=$late
        for strategy in optimal source observers dfs; do
            same array --strategy=$strategy
        done
        verdict array "$([ $late = 1 ] && echo bug || echo verified)"
    done
    for plain in 0 1; do
        build atomic $level -DPLAIN=$plain
        same atomic
        verdict atomic "$([ $plain = 1 ] && echo bug || echo verified)"
    done
    build spin $level
    same spin
    verdict spin verified
    verdict spin verified --strategy=observers
done
finish
