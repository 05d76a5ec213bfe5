#!/bin/sh
# steps.sh - what a step costs with --strategy=optimal, as a table: CPU time, and memory.
#
# The time is that of the whole search, divided by its transitions. So it contains what an execution costs besides its
# steps: going back to a saved state, and planning. The last row is one execution of 800,000 steps: four threads with
# 100,000 locked increments each. There, the memory is what the execution takes beyond one of 8 steps.
. "$(dirname "$0")/common/measure.sh"

cat >"$work/long.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds, counted;
static void *thread(void *unused) {
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&mutex);
        counted++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(int argc, char **argv) {
    pthread_t threads[4];
    rounds = atoi(argv[argc - 1]);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$heddle" cc -O1 -o "$work/long" "$work/long.c"

row() { # row TITLE OPTIONS... PROGRAM ARGUMENTS...: sets steps and memory
    title=$1
    shift
    measure --strategy=optimal "$@"
    steps=$(field transitions)
    memory=$(field memory_kb)
    printf '%-18s %12s %12s %8s' "$title" "$(field executions)" "$steps" \
        "$(awk "BEGIN { printf \"%d\", $seconds * 1e9 / $steps }")"
}

printf '%-18s %12s %12s %8s %8s\n' program executions transitions ns bytes
for program in 'readers 15' 'nwriters 8' 'lastzero 13' 'filesystem 22' 'indexer 13'; do
    # shellcheck disable=SC2086 # a program and its argument
    row "$program" "$build/programs/"$program
    printf '\n'
done
row 'long 1' --max-executions=1 "$work/long" 1 >/dev/null
least=$memory
row 'long 100000' --max-executions=1 --max-steps=10000000 "$work/long" 100000
awk "BEGIN { printf \" %8d\n\", ($memory - $least) * 1024 / $steps }"
