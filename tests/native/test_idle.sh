#!/bin/sh
# A loop that only waits costs no execution: there are as many as with a semaphore, whoever comes first.
# The loop is of one operation, and optimised: at -O0 gcc's temporaries make its first round another one.
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

executions() { # compiler, level, BLOCKS, MAIN_WAITS, WAITING
    HEDDLE_CC=$1 "$HEDDLE" cc "-$2" -DBLOCKS="$3" -DMAIN_WAITS="$4" -DWAITING="$5" -o "$work/wait" \
        "$work/wait.c" && "$HEDDLE" run -q --json="$work/a.json" "$work/wait" >"$work/out" 2>&1 ||
        fail "$*: $(cat "$work/out")"
    field "$work/a.json" executions
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in O1 O2; do
        for main_waits in 0 1; do
            checked=$((checked + 1))
            spins=$(executions $compiler $level 0 $main_waits 1)
            blocks=$(executions $compiler $level 1 $main_waits 1)
            [ "$spins" = "$blocks" ] && [ "$blocks" = 1 ] ||
                fail "$compiler -$level, main waits $main_waits: $spins executions, $blocks by semaphore"
        done
        # Several who wait at one place: where one was tried the others counted on it.
        checked=$((checked + 1))
        spins=$(executions $compiler $level 0 0 3)
        [ "$spins" -le 3 ] || fail "$compiler -$level, three wait: $spins executions"
    done
done
finish
