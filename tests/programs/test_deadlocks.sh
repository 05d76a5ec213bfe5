#!/bin/sh
# Tasks that wait for each other are a deadlock, no matter what other tasks do: two threads take two
# locks in opposite orders while a third one goes on. But a cycle is no deadlock as long as one of
# its tasks can be cancelled.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/beside.c" <<'END2'
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, stop;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
static void *three(void *unused) {
#if THIRD == 1 /* changes something all the time, so it is never parked */
    while (!stop)
        x = !x;
#elif THIRD == 2 /* is parked, so in the end no task can go on */
    while (!stop)
        ;
#elif THIRD == 3 /* ends by itself */
    for (int i = 0; i < 300; i++)
        x++;
#else
    while (!stop)
        usleep(10);
#endif
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, three, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    stop = 1;
    pthread_join(threads[2], NULL);
    return 0;
}
END2

# The writer waits for two readers. One of them waits for the mutex that the writer holds. The other
# one goes on for ever, and comes first among the readers.
cat >"$work/readers.c" <<'END2'
#include <pthread.h>
#include <stdatomic.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static void *busy(void *unused) {
    pthread_rwlock_rdlock(&lock);
    for (;;)
        x = !x;
    return unused;
}
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&lock);
    return unused;
}
static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, busy, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END2

# A thread joins another one, which waits for a mutex of the first: a cycle. But main cancels the
# first thread, and its cleanup handler releases the mutex.
cat >"$work/cancelled.c" <<'END2'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t joins, locks;
static void release(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}
static void *lock(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void *join(void *unused) {
    if (DISABLED)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, NULL);
    pthread_create(&locks, NULL, lock, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(locks, NULL);
    pthread_cleanup_pop(1);
    return unused;
}
int main(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&joins, NULL, join, NULL);
    pthread_barrier_wait(&barrier);
    pthread_cancel(joins);
    pthread_join(joins, NULL);
    pthread_join(locks, NULL);
    return 0;
}
END2

# The sleeper holds `outer` while it sleeps. The locker holds the sleeper's mutex and waits for
# `outer`. No task waits for the locker yet. Then the third thread wakes the sleeper, which now
# wants its mutex again. This closes the cycle. The third thread is not in it, and goes on for ever.
cat >"$work/woken.c" <<'END2'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int x, asleep, locked;
static void *sleeper(void *unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&mutex);
    asleep = 1;
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&outer);
    return unused;
}
static void *locker(void *unused) {
    while (!asleep)
        ;
    pthread_mutex_lock(&mutex);
    locked = 1;
    pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sleeper, NULL);
    pthread_create(&threads[1], NULL, locker, NULL);
    while (!locked)
        ;
    WAKE;
    for (;;)
        x = !x;
}
END2

build() { # name, source, options
    name=$1 from=$2
    shift 2
    "$HEDDLE" cc "$@" -o "$work/$name" "$work/$from.c" || fail "$name does not build"
}
for third in 1 2 3 4; do
    build beside$third beside -DTHIRD=$third
done
build readers readers
build signalled woken '-DWAKE=pthread_cond_signal(&cond)'
build broadcast woken '-DWAKE=pthread_cond_broadcast(&cond)'
build woken_by_cancel woken '-DWAKE=pthread_cancel(threads[0])'
build cancelled cancelled -DDISABLED=0
build cancelled_not cancelled -DDISABLED=1

# `gives WANT PROGRAM OPTIONS...`: the verdict and the kinds of all findings must be WANT.
gives() {
    want=$1 program=$2
    shift 2
    checked=$((checked + 1))
    "$HEDDLE" run -q --minimise=off --json="$work/a.json" --trace="$work/a.trace" "$@" "$work/$program" >"$work/out" 2>&1
    [ "$(answer "$work/a.json")" = "$want" ] ||
        fail "$program $*: '$(answer "$work/a.json")' instead of '$want'"
}

for strategy in ses ses+ss preemption-bounding depth-bounding portfolio optimal source classic random pct; do
    for third in 1 2 3 4; do
        gives "bug deadlock" beside$third --strategy=$strategy
    done
done
for strategy in dfs persistent observers ss; do
    for third in 2 4; do # with 1 the executions get longer and longer, and for dfs also with 3
        gives "bug deadlock" beside$third --strategy=$strategy
    done
done
for strategy in dfs ses preemption-bounding; do
    gives "bug deadlock" readers --strategy=$strategy
done
for program in signalled broadcast; do
    for strategy in ses optimal source; do
        gives "bug deadlock" $program --strategy=$strategy --max-steps=300
    done
done
gives "bug deadlock" woken_by_cancel --strategy=ses # the reductions take too long in the loop
for strategy in dfs optimal ses; do
    gives "verified " cancelled --strategy=$strategy --races=explore # a cancellation may hide races from ses
    gives "bug deadlock" cancelled_not --strategy=$strategy
done

# A deadlock that is found on the way and again at the end, before or after other tasks move, is
# reported once.
for strategy in ses optimal; do
    gives "bug deadlock" beside4 --strategy=$strategy --keep-going
    count=$(grep -c '"kind": "deadlock"' "$work/a.json")
    [ "$count" -eq 1 ] || fail "$strategy --keep-going: the deadlock is reported $count times"
done
"$HEDDLE" replay "$work/a.trace" >"$work/out" 2>&1
[ $? -eq 1 ] || fail "replay: $(cat "$work/out")"
finish
