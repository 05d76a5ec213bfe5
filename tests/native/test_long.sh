#!/bin/sh
# A long execution costs what its steps cost: four times as many steps take about four times as
# long, not sixteen times. The test takes the least CPU time of three runs, so that other processes
# do not matter.
set -u
. "$SOURCE/tests/programs/programs.sh"

cat >"$work/long.c" <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t turns[3];
static int counted, rounds;
static char what;
static void *thread(void *number) {
    int own = (int)(long)number;
    for (int i = 0; i < rounds; i++) {
        switch (what) {
        case 'r': (void)atomic_load(&shared); break;
        case 'w': atomic_store(&shared, i); break;
        case 'a': atomic_fetch_add(&shared, 1); break;
        case 'l':
            pthread_mutex_lock(&mutex);
            counted++;
            pthread_mutex_unlock(&mutex);
            break;
        case 's':
            sem_wait(&turns[own]);
            counted++;
            sem_post(&turns[(own + 1) % 3]);
            break;
        }
    }
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t threads[3];
    what = argv[argc - 2][0];
    rounds = atoi(argv[argc - 1]);
    for (int i = 0; i < 3; i++)
        sem_init(&turns[i], 0, i == 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$HEDDLE" cc -O1 -o "$work/long" "$work/long.c" || exit 1

microseconds() { # strategy, what, rounds: sets $least to the least time of three runs
    : >"$work/times"
    for round in 1 2 3; do
        run_tool -q --strategy="$1" --max-executions=1 --json="$work/a.json" "$work/long" "$2" "$3"
        [ "$(field "$work/a.json" transitions)" -ge $((3 * $3)) ] ||
            fail "$1, $2, $3 rounds: only $(field "$work/a.json" transitions) transitions: $(cat "$work/out")"
        field "$work/a.json" cpu_seconds >>"$work/times"
    done
    least=$(sort -n "$work/times" | awk 'NR == 1 { print int($1 * 1000000) }')
}

for strategy in optimal source; do
    for what in r w a l s; do
        checked=$((checked + 1))
        microseconds $strategy $what 2500
        few=$least
        microseconds $strategy $what 10000
        many=$least
        [ "$few" -gt 0 ] && [ "$many" -le $((8 * few)) ] ||
            fail "$strategy, $what: $few us for 2,500 rounds, $many us for four times as many"
    done
done
finish
