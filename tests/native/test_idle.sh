#!/bin/sh
# A loop that only waits costs no execution: there are as many executions as with a semaphore, no
# matter which task comes first. The loop has one operation and is optimised, because at -O0 gcc's
# temporaries make its first round different.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/wait.c" <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int flag, other;
static sem_t semaphore;
static void raise_flag(void) {
    atomic_store(&other, 1);
    if (BLOCKS)
        sem_post(&semaphore);
    else
        atomic_store(&flag, 1);
}
static void await_flag(void) {
    if (BLOCKS)
        sem_wait(&semaphore);
    else
        while (atomic_load(&flag) == 0)
            ;
    (void)atomic_load(&other);
}
static void *thread(void *unused) {
    (void)unused;
    if (MAIN_WAITS)
        raise_flag();
    else
        await_flag();
    return NULL;
}
int main(void) {
    pthread_t threads[WAITING];
    int count = MAIN_WAITS ? 1 : WAITING;
    sem_init(&semaphore, 0, BLOCKS && !MAIN_WAITS ? WAITING - 1 : 0);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    if (MAIN_WAITS)
        await_flag();
    else
        raise_flag();
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END

executions() { # compiler, level, BLOCKS, MAIN_WAITS, WAITING: sets $executions
    HEDDLE_CC=$1 "$HEDDLE" cc "-$2" -DBLOCKS="$3" -DMAIN_WAITS="$4" -DWAITING="$5" -o "$work/wait" \
        "$work/wait.c" || fail "wait.c, $*"
    run_tool -q --json="$work/a.json" "$work/wait"
    [ "$status" -eq 0 ] || fail "$*: $(cat "$work/out")"
    executions=$(field "$work/a.json" executions)
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in O1 O2; do
        for main_waits in 0 1; do
            checked=$((checked + 1))
            executions $compiler $level 0 $main_waits 1
            spins=$executions
            executions $compiler $level 1 $main_waits 1
            blocks=$executions
            [ "$spins" = "$blocks" ] && [ "$blocks" = 1 ] ||
                fail "$compiler -$level, main waits $main_waits: $spins executions, $blocks by semaphore"
        done
        # Several tasks wait at one place: there must be at most 3 executions.
        checked=$((checked + 1))
        executions $compiler $level 0 0 3
        [ "$executions" -le 3 ] || fail "$compiler -$level, three wait: $executions executions"
    done
done

# A round that only waits must not order anything, because there is an execution without it. Both
# programs have a race.
cat >"$work/acquires.c" <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int state;
static sem_t published;
int plain;
static void *first(void *unused) {
    plain = 1;
    atomic_store_explicit(&state, 2, memory_order_release);
    sem_post(&published);
    return unused;
}
static void *waiting(void *unused) {
    while (atomic_load_explicit(&state, memory_order_acquire) != 1)
        ;
    plain = 2;
    return unused;
}
int main(void) {
    pthread_t threads[2];
    sem_init(&published, 0, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, waiting, NULL);
    sem_wait(&published);
    atomic_store_explicit(&state, 1, memory_order_relaxed);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
cat >"$work/releases.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
int plain;
static void *waiting(void *unused) {
    plain = 1;
    while (atomic_flag_test_and_set(&lock))
        ;
    return unused;
}
static void *other(void *unused) {
    atomic_flag_test_and_set(&lock);
    plain = 2;
    atomic_flag_clear(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    atomic_flag_test_and_set(&lock);
    pthread_create(&threads[0], NULL, waiting, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
for name in acquires releases; do
    for level in O0 O1; do
        "$HEDDLE" cc -$level -o "$work/$name" "$work/$name.c" || fail "$name.c"
        for strategy in dfs persistent classic source optimal observers; do
            checked=$((checked + 1))
            run_tool -q --strategy=$strategy --json="$work/a.json" --trace="$work/a.trace" "$work/$name"
            [ "$(answer "$work/a.json")" = "bug data-race" ] ||
                fail "$name -$level, $strategy: $(answer "$work/a.json")"
        done
    done
done

# A loop over two locations. The task that was to move next waits, because a store in between stored
# the same value.
cat >"$work/both.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flags[2];
static void *waiting(void *unused) {
#if INDEXED
    for (int i = 0; atomic_load(&flags[i]) != 1; i = 1 - i)
        ;
#else
    while (atomic_load(&flags[0]) != 1 && atomic_load(&flags[1]) != 1)
        ;
#endif
    return unused;
}
static void *raises(void *unused) {
    atomic_store(&flags[0], 1);
    atomic_store(&flags[1], 1);
    return unused;
}
static void *equal(void *unused) {
    atomic_store(&flags[1], 0);
    return unused;
}
int main(void) {
    void *(*const functions[])(void *) = {waiting, raises, equal};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for variant in 0:O0 0:O2 1:O0 1:O1; do
        HEDDLE_CC=$compiler "$HEDDLE" cc "-${variant#*:}" -DINDEXED="${variant%:*}" -o "$work/both" \
            "$work/both.c" || fail "both.c"
        for strategy in source optimal observers; do
            checked=$((checked + 1))
            run_tool -q --strategy=$strategy --final-states --json="$work/$strategy.json" "$work/both"
            # It is not known well enough what observers leaves out then.
            case $strategy:$(field "$work/$strategy.json" verdict) in
            *:verified | observers:undecided) ;;
            *) fail "both, $compiler $variant, $strategy: $(cat "$work/out")" ;;
            esac
            [ "$(field "$work/$strategy.json" final_states)" -gt 0 ] &&
                [ "$(field "$work/$strategy.json" final_states)" = "$(field "$work/source.json" final_states)" ] ||
                fail "both, $compiler $variant, $strategy: $(field "$work/$strategy.json" final_states) final states"
        done
    done
done

# A race in an execution that goes no further, because a loop would only wait. The race must be
# found together with all others, and its trace must be repeatable up to there.
cat >"$work/left.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *waits(void *unused) {
    while (__atomic_load_n(&x, __ATOMIC_SEQ_CST) != 2)
        ;
    return unused;
}
static void *leaves(void *unused) {
    (void)unused;
    exit(0);
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, leaves, NULL);
    x = 1;
    exit(0);
}
END
"$HEDDLE" cc -g -O1 -o "$work/left" "$work/left.c" || fail "left.c"
for strategy in optimal observers source classic dfs; do
    checked=$((checked + 1))
    rm -f "$work/left.trace"
    run_tool -q --keep-going --strategy=$strategy --json="$work/a.json" --trace="$work/left.trace" "$work/left"
    [ "$(answer "$work/a.json")" = "bug data-race" ] || fail "left, $strategy: $(cat "$work/out")"
    "$HEDDLE" replay "$work/left.trace" >"$work/out" 2>&1
    [ $? -eq 1 ] || fail "left, $strategy: its trace is not repeated: $(cat "$work/out")"
done

# A loop in a frame with slots that were never written when the loop comes there for the first time.
# The contents of these slots must be the same when the execution is repeated for its evidence.
cat >"$work/slots.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int flags[2]; /* not static: clang would know that they are never written */
__attribute__((noinline)) static void use(void *unused) {
    __asm__ volatile("" : : "r"(unused) : "memory");
}
__attribute__((noinline)) static void wait_for(int flag, int value) {
    char room[900];
    room[3] = (char)flag;
    use(room);
    while (atomic_load(&flags[flag]) != value) {
    }
    use(room);
}
static void *waits(void *unused) {
    int seen = atomic_load(&flags[1]) + 1;
    wait_for(0, seen);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, waits, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in O0 O1 O2; do
        checked=$((checked + 1))
        HEDDLE_CC=$compiler "$HEDDLE" cc -g "-$level" -o "$work/slots" "$work/slots.c" || fail "slots.c"
        rm -f "$work/slots.trace"
        run_tool -q --json="$work/a.json" --trace="$work/slots.trace" "$work/slots"
        [ "$(answer "$work/a.json")" = "bug livelock" ] || fail "slots, $compiler -$level: $(cat "$work/out")"
        "$HEDDLE" replay "$work/slots.trace" >"$work/out" 2>&1
        [ $? -eq 1 ] || fail "slots, $compiler -$level: its trace is not repeated: $(cat "$work/out")"
    done
done

# A pause in the loop counts in a volatile variable. clang makes operations of these accesses, more
# than the tool remembers.
cat >"$work/pause.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *await(void *unused) {
    while (atomic_load(&flag) == 0)
        for (volatile int i = 0; i < PAUSE; i++)
            ;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, await, NULL);
    if (SETS)
        atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
END

# A loop that also reads through an array.
cat >"$work/table.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
enum { COUNT = 100 };
int table[COUNT];
static atomic_int flag;
static void *await(void *unused) {
    int sum = 0;
    while (atomic_load(&flag) == 0)
        for (int i = sum = 0; i < COUNT; i++)
            sum += table[i];
    return sum == 0 ? unused : NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, await, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
END

# The loop waits for a variable of its own stack, which it resets itself each time. A store that
# comes right then is seen. A store that comes earlier is not, and after that no store comes.
cat >"$work/own.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static void *set(void *flag) {
    (void)atomic_load(&ready);
    *(volatile int *)flag = 1;
    return NULL;
}
int main(void) {
    volatile int flag = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, set, (void *)&flag);
    atomic_store(&ready, 1);
    do
        flag = 0;
    while (flag == 0);
    pthread_join(thread, NULL);
    return 0;
}
END
# The loop goes round only if another task wrote between its two reads. Such a round does not only
# wait.
cat >"$work/twice.c" <<'END'
#include <pthread.h>
static void *set(void *flag) {
    *(volatile int *)flag = 1;
    return NULL;
}
int main(void) {
    volatile int flag = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, set, (void *)&flag);
    for (int once = flag; once != flag; once = flag)
        flag = 0;
    pthread_join(thread, NULL);
    return 0;
}
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in O0 O2; do
        HEDDLE_CC=$compiler "$HEDDLE" cc "-$level" -o "$work/table" "$work/table.c" || fail "table.c"
        checked=$((checked + 1))
        run_tool -q --json="$work/a.json" "$work/table"
        [ "$status" -eq 0 ] || fail "table, $compiler -$level: $(cat "$work/out")"
        HEDDLE_CC=$compiler "$HEDDLE" cc "-$level" -o "$work/twice" "$work/twice.c" || fail "twice.c"
        for strategy in optimal source dfs; do
            checked=$((checked + 1))
            run_tool -q --races=ignore --strategy=$strategy --json="$work/a.json" "$work/twice"
            [ "$status" -eq 0 ] || fail "twice, $compiler -$level, $strategy: $(cat "$work/out")"
        done
        for pause in 3 100; do
            for sets in 1 0; do
                checked=$((checked + 1))
                HEDDLE_CC=$compiler "$HEDDLE" cc "-$level" -DPAUSE=$pause -DSETS=$sets -o "$work/pause" \
                    "$work/pause.c" || fail "pause.c"
                rm -f "$work/pause.trace"
                run_tool -q --trace="$work/pause.trace" --json="$work/a.json" "$work/pause"
                [ "$(answer "$work/a.json")" = "$([ $sets = 1 ] && echo 'verified ' || echo 'bug livelock')" ] ||
                    fail "pause of $pause, $compiler -$level, $sets: '$(answer "$work/a.json")' $(cat "$work/out")"
                [ "$(field "$work/a.json" executions)" -le 8 ] || fail "pause of $pause, $compiler -$level: too many"
                [ $sets = 1 ] || "$HEDDLE" replay -q "$work/pause.trace" >"$work/out" 2>&1
                [ $? -eq $((1 - sets)) ] || fail "pause of $pause, $compiler -$level: its trace is not repeated"
            done
        done
        HEDDLE_CC=$compiler "$HEDDLE" cc "-$level" -o "$work/own" "$work/own.c" || fail "own.c"
        for strategy in optimal source dfs; do
            checked=$((checked + 1))
            run_tool -q --keep-going --minimise=off --races=ignore --final-states --strategy=$strategy \
                --json="$work/a.json" --output="$work" "$work/own"
            [ "$(answer "$work/a.json")" = "bug livelock" ] || fail "own, $compiler -$level, $strategy: $(cat "$work/out")"
            [ "$(field "$work/a.json" final_states)" -ge 2 ] || fail "own, $compiler -$level, $strategy: it never ends"
        done
    done
done

# An exchange that only waits depends on writes, but not on the reads of other tasks. It must be
# tried before all of them, and before the write, where it does not wait. The four tasks can hang in
# four different ways.
cat >"$work/exchange.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock, count;
__attribute__((noinline)) static int is_taken(int depth) {
    if (atomic_load(&lock) == 1)
        return 1;
    return depth > 0 && is_taken(depth - 1);
}
static void *take(void *unused) {
    atomic_store(&lock, 1);
    while (!is_taken(1))
        ;
    return unused;
}
static void *look(void *unused) {
    while (atomic_load(&lock) != 1 && atomic_load(&lock) != 1)
        ;
    for (int i = 2; atomic_load(&count) != (i > 0 ? 2 : 1); i = i > 0 ? i - 1 : 2)
        ;
    return unused;
}
static void *add(void *unused) {
    atomic_fetch_add(&count, 1);
    return unused;
}
static void *exchange(void *unused) {
    while (atomic_exchange(&lock, 1) != 0)
        ;
    atomic_store(&lock, 0);
    return unused;
}
int main(void) {
    static void *(*const tasks[])(void *) = {take, look, add, exchange};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, tasks[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    HEDDLE_CC=$compiler "$HEDDLE" cc -O1 -o "$work/exchange" "$work/exchange.c" || fail "exchange.c"
    for strategy in optimal observers source ses; do
        checked=$((checked + 1))
        run_tool -q --keep-going --minimise=off --output="$work" --strategy=$strategy --json="$work/a.json" \
            "$work/exchange"
        found=$(grep -c '"kind": "livelock"' "$work/a.json")
        [ "$found" = 4 ] || fail "exchange, $compiler, $strategy: $found different livelocks, not 4"
    done
done

# A task that tries a semaphore again and again goes on after either of two posts, also after the
# one that comes too early.
cat >"$work/early.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static sem_t semaphore;
static atomic_int ready;
static void *await(void *unused) {
    while (sem_trywait(&semaphore) != 0)
        continue;
    assert(atomic_load(&ready) == 1);
    return unused;
}
static void *prepare(void *unused) {
    atomic_store(&ready, 1);
    sem_post(&semaphore);
    return unused;
}
static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}
int main(void) {
    static void *(*const tasks[])(void *) = {await, prepare, post};
    pthread_t threads[3];
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, tasks[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$HEDDLE" cc -O1 -o "$work/early" "$work/early.c" || fail "early.c"
for strategy in optimal observers source classic persistent dfs ses; do
    checked=$((checked + 1))
    run_tool -q --minimise=off --output="$work" --strategy=$strategy --json="$work/a.json" "$work/early"
    [ "$(answer "$work/a.json")" = "bug assertion" ] || fail "early, $strategy: '$(answer "$work/a.json")'"
done

# Several tasks try a spin lock. Only the order in which they get the lock counts: n! orders. A try
# that fails only waits, and must cost nothing, even if another failing try was not planned because
# of it.
cat >"$work/spinlock.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static void take(void) {
    int expected;
    if (EXCHANGES)
        while (atomic_exchange(&lock, 1) != 0)
            ;
    else
        do
            expected = 0;
        while (!atomic_compare_exchange_strong(&lock, &expected, 1));
}
static void *thread(void *unused) {
    take();
    atomic_store(&lock, 0);
    return unused;
}
int main(void) {
    pthread_t threads[TASKS];
    for (int i = 0; i < TASKS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < TASKS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
spinlock() { # compiler, exchanges, tasks, their orders
    HEDDLE_CC=$1 "$HEDDLE" cc -O1 -DEXCHANGES=$2 -DTASKS=$3 -o "$work/spinlock" "$work/spinlock.c" ||
        fail "spinlock.c, $1"
    for strategy in optimal source; do
        checked=$((checked + 1))
        run_tool -q --strategy=$strategy --json="$work/a.json" "$work/spinlock"
        got="$(answer "$work/a.json")$(field "$work/a.json" executions)"
        [ "$got" = "verified $4" ] || fail "spinlock of $3 tasks, $1, exchanges $2, $strategy: '$got', not $4"
    done
}
for compiler in gcc clang; do
    for exchanges in 0 1; do
        spinlock $compiler $exchanges 3 6
        spinlock $compiler $exchanges 5 120
    done
done
finish
