#!/bin/sh
# test_coverage.sh - --coverage shows which pairs of operations ran in both orders, in the summary and in the JSON
# result. Every strategy that explores all traces shows the same. The output never claims more than is known.
. "$SOURCE/tests/cli/cli.sh"

# The list of pairs in a.json, one in each line, and whether each order came: "store r.c:23 load r.c:29 yes no".
pairs() {
    tr -d '\n' <a.json | sed 's/.*"coverage": {//; s/"tips":.*//' | tr '{' '\n' |
        sed -n 's/ *"operation": "\([^"]*\)".*/op \1/p
                s/.*"file": "\([^"]*\)", *"line": \([0-9]*\).*"first_before_second": \([0-9]*\), *"second_before_first": \([0-9]*\).*/at \1:\2\nend \3 \4/p
                s/.*"file": "\([^"]*\)", *"line": \([0-9]*\).*/at \1:\2/p' |
        awk '$1 == "end" { print line, ($2 > 0 ? "yes" : "no"), ($3 > 0 ? "yes" : "no"); line = ""; next }
             { line = line " " $0 }' | sort
}

# Two threads with three operations. The flag is set before the other thread is created: no pair. Both threads add to
# the counter, in both orders. The wait for the semaphore always comes after the post.
cat >three.c <<'END2'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int flag, counter;
static sem_t semaphore;
static void *other(void *unused) {
    sem_wait(&semaphore);
    atomic_load(&flag);
    atomic_fetch_add(&counter, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    atomic_store(&flag, 1);
    pthread_create(&thread, NULL, other, NULL);
    sem_post(&semaphore);
    atomic_fetch_add(&counter, 2);
    pthread_join(thread, NULL);
    return atomic_load(&counter) != 3;
}
END2
runs 0 "$HEDDLE" cc -g -o three three.c
runs 0 "$HEDDLE" run --coverage --json=a.json ./three
says "^  coverage     1 of 2 pairs of operations ran in both orders; these orders are impossible:$"
says "^               three.c:7 sem wait before three.c:17 sem post, of semaphore$"
says '"final": true' a.json
says '"pairs": 2,' a.json
says '"both": 1,' a.json
# If not everything was explored, no order is called impossible.
runs 3 "$HEDDLE" run --coverage --max-executions=1 --json=a.json ./three
says "0 of 2 pairs of operations ran in both orders; not seen:$"
says '"final": false' a.json
runs 0 "$HEDDLE" run --coverage --strategy=random --max-executions=50 --json=a.json ./three
says "1 of 2 pairs of operations ran in both orders; not seen:$"
runs 0 "$HEDDLE" run --coverage --preemptions=0 ./three
says "; not seen:$"
runs 0 "$HEDDLE" run --coverage --strategy=observers ./three
says "; not seen:$"
runs 0 "$HEDDLE" run --coverage --strategy=portfolio ./three
says "; not seen:$"
# A search that stops at a bug has not explored everything either.
runs 1 "$HEDDLE" run --coverage "$programs/abba_wrong"
says "^  coverage .*; not seen:$"
# Neither has a search that cut off a loop which came back to the same state.
cat >spin.c <<'END2'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *other(void *unused) {
    while (atomic_load(&flag) == 0)
        ;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
END2
runs 0 "$HEDDLE" cc -g -O1 -o spin spin.c
runs 0 "$HEDDLE" run --coverage ./spin
says "verified"
says_not "these orders are impossible"
# Coverage is off by default, and not available for strategies that do not remember orders.
runs 0 "$HEDDLE" run --json=a.json ./three
says_not "coverage"
says '"coverage": null' a.json
runs 2 "$HEDDLE" run --coverage --strategy=ses ./three
says "'--coverage' does not go with --strategy=ses" err

# The HTML page of the run always has the coverage; the summary has it only with --coverage.
runs 0 "$HEDDLE" run --html=pages --json=a.json ./three
says_not "coverage"
says '"both": 1,' a.json
runs 0 "$HEDDLE" run --html=pages --strategy=ses --json=a.json ./three
says '"coverage": null' a.json

# The search without reduction, the reductions, and all ways to begin an execution give the same result.
for program in "lost_update_right" "abba_right" "mailbox_right" "readers 2" "sem_pool_right" "onereader 2"; do
    # shellcheck disable=SC2086
    set -- $program
    name=$1
    shift
    runs 0 "$HEDDLE" run -q --coverage --strategy=dfs --json=a.json "$programs/$name" "$@"
    pairs >all
    [ -s all ] || fail "$program: no pair"
    for options in --strategy=optimal --strategy=source --strategy=classic --strategy=persistent \
        --isolate=fork --checkpoints=off; do
        runs 0 "$HEDDLE" run -q --coverage "$options" --json=a.json "$programs/$name" "$@"
        pairs >some
        cmp -s all some || fail "$program: $options: $(diff all some)"
    done
done
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 -c 'import json, jsonschema, sys
jsonschema.validate(*(json.load(open(name)) for name in sys.argv[1:]))' \
        a.json "$SOURCE/docs/heddle-run.schema.json" || fail "a.json is not as the schema says"
fi
# More than five pairs are not listed one by one.
runs 3 "$HEDDLE" run --coverage --max-executions=1 "$programs/thread_pool_right"
says "^               and [0-9]* more: --json=FILE has them all$"
exit $failed
