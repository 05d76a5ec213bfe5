#!/bin/sh
# test_text.sh - reports fit a page of 80 columns, for every wrong program, in short and in full. They are readable
# with many tasks, long names and wide characters.
. "$SOURCE/tests/cli/cli.sh"

# Prints lines that are wider than the page, as terminals count. A command stays in one line, so that it can be
# pasted. A path at the head of a trace stays whole.
too_wide() {
    python3 - "$1" <<'END'
import re, sys, unicodedata
for line in open(sys.argv[1], encoding="utf-8"):
    line = line.rstrip("\n")
    width = sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
                for c in line)
    if width > 80 and not re.match("Replay: |program    ", line):
        print(f"{width}: {line}")
END
}

fits() {
    wide=$(too_wide out) || fail "$1: its width is not known"
    [ -z "$wide" ] || fail "$1: wider than 80: $wide"
}

# Counts the lines of the schedule before the finding. There are 25 at most, unless with -v.
lines_before() {
    awk '/^ *step  /{on = 1; next} /^ *[!-]  |^$/{on = 0} on && !/^ *\.\.\./' out | wc -l
}

schedules=0
for program in "$programs"/*_wrong; do
    rm -f a.trace
    name=${program##*/}
    options=$(sed -n 's/ *\*\/$//; s/^ \* options: *//p' "$SOURCE/programs/$name".c* | head -n 1)
    [ $name != divergence_wrong ] || options="$options --step-timeout=200ms"
    # shellcheck disable=SC2086
    runs 1 "$HEDDLE" run $options --minimise=off --trace=a.trace "$program"
    fits "$name"
    [ "$(lines_before)" -le 25 ] || fail "$name: more than 25 lines: $(cat out)"
    [ "$(lines_before)" -eq 0 ] || schedules=$((schedules + 1))
    runs 0 "$HEDDLE" show a.trace
    fits "show $name"
done
[ "$schedules" -gt 30 ] || fail "only $schedules reports have a schedule"

# 14 tasks do not fit in columns, so the schedule is a list with a legend. Names are long, and in other scripts.
cat >many.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a_counter_whose_name_is_rather_long_so_that_it_does_not_fit_anywhere;
static void *a_worker_whose_name_is_rather_long_so_that_it_does_not_fit_anywhere(void *argument) {
    heddle_note("数据竞争检测器 数据竞争检测器 数据竞争检测器 数据竞争检测器 e\u0301 %s", "x");
    atomic_fetch_add(&a_counter_whose_name_is_rather_long_so_that_it_does_not_fit_anywhere, 1); /* 数据竞争检测器 数据竞争检测器 */
    return argument;
}
int main(int argc, char **argv) {
    pthread_t threads[13];
    (void)argv;
    int count = argc > 1 ? 2 : 13;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, a_worker_whose_name_is_rather_long_so_that_it_does_not_fit_anywhere, 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    heddle_assert(atomic_load(&a_counter_whose_name_is_rather_long_so_that_it_does_not_fit_anywhere) != count);
    return 0;
}
END
runs 0 "$HEDDLE" cc -g -o many many.c
runs 1 "$HEDDLE" run --minimise=off ./many
fits "14 tasks"
says '^  \.\.\.  ([0-9]* earlier steps: -v, or heddle show)$'
[ "$(lines_before)" -le 25 ] && [ "$(lines_before)" -gt 0 ] || fail "no or more than 25 lines: $(cat out)"
runs 1 "$HEDDLE" run --minimise=off -v ./many
fits "14 tasks, -v"
says '^       T0 (main), T1 to T13$'
says '^ *[0-9]*  T3    6: note: '
says_not 'earlier steps'
runs 1 "$HEDDLE" run --minimise=off -v ./many 2
fits "3 tasks with long names"
says '^ step  T0 (main) *T1 (a_worker_whose_.*\.\.\. T2 (a_worker_whose_.*\.\.\.$'

# A data race stands at its place in the schedule, although the execution goes on after it with --keep-going.
cat >race.c <<'END'
#include <pthread.h>
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *argument) {
    x++;
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    return 0;
}
END
runs 0 "$HEDDLE" cc -g -o race race.c
runs 1 "$HEDDLE" run --minimise=off --keep-going --strategy=random --max-executions=1 ./race
says '^  \.\.\.  ([0-9]* later steps: -v, or heddle show)$'
fits "a race with --keep-going"

# Colours are used only on a terminal, and not if NO_COLOR is set.
if command -v script >/dev/null; then
    TERM=xterm script -qec "$HEDDLE run --minimise=off $programs/abba_wrong" /dev/null >out
    says "$(printf '\033\\[1;31m')"
    NO_COLOR=1 TERM=xterm script -qec "$HEDDLE run --minimise=off $programs/abba_wrong" /dev/null >out
    says 'ERROR: heddle: deadlock'
    says_not "$(printf '\033')"
fi
runs 1 "$HEDDLE" run --minimise=off "$programs/abba_wrong"
says_not "$(printf '\033')"
says '^  T0 (main) waits for mutex `checking_lock` held by T1 (save),$'
says '^    which waits for mutex `savings_lock` held by T0 (main)\.$'

exit $failed
