#!/bin/sh
# test_fingerprints.sh - the same bug has the same fingerprint with every strategy, compiler and directory, and after
# edits elsewhere in its source. Another bug has another fingerprint.
. "$SOURCE/tests/cli/cli.sh"

# print [OPTION...] PROGRAM [ARGUMENT...]: prints the fingerprint of the first finding.
print() {
    "$HEDDLE" run "$@" 2>err | sed -n 's/^Fingerprint: //p' | head -n 1
}

# is WHAT FINGERPRINT EXPECTED: fails if the two differ.
is() {
    [ -n "$2" ] && [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}

mkdir here 'some where else'
for name in abba_wrong lost_update_wrong use_after_free_wrong barrier_count_wrong missed_signal_wrong \
    double_checked_wrong recursive_wrong; do
    cp "$SOURCE/programs/$name.c" here
    "$HEDDLE" cc -g -o here/a here/$name.c || fail "$name does not compile"
    first=$(print here/a)
    [ ${#first} = 16 ] || fail "$name: '$first'"
    for options in --strategy=dfs --strategy=source '--strategy=random --seed=5' '--strategy=pct --seed=9' \
        --isolate=fork --checkpoints=off --preemptions=2; do
        # shellcheck disable=SC2086
        is "$name $options" "$(print $options here/a)" "$first"
    done
    # The fingerprint from the saved trace.
    "$HEDDLE" show a.trace >out
    is "$name, shown" "$(sed -n 's/^Fingerprint: //p' out)" "$first"
    # In another directory, with additional lines before and in between, and with other indentation.
    { echo '/* Copyright somebody */'; echo 'static int unrelated __attribute__((unused));'
      sed 's/^    /\t/; s/^{/\n{/; s/^}$/}\n/' here/$name.c; } >"some where else/$name.c"
    (cd 'some where else' && "$HEDDLE" cc -g -o b $name.c) || fail "$name does not compile elsewhere"
    is "$name, edited elsewhere" "$(print 'some where else/b')" "$first"
    cp 'some where else/b' c
    is "$name, from another directory" "$(cd / && print --output="$work" "$work/c")" "$first"
    if command -v clang >/dev/null; then
        HEDDLE_CC=clang "$HEDDLE" cc -g -o d here/$name.c || fail "$name does not compile by clang"
        is "$name by clang" "$(print ./d)" "$first"
    fi
    echo "$first" >>all
done
[ "$(sort -u all | wc -l)" = 7 ] || fail "different bugs have the same fingerprint: $(cat all)"

# The number of philosophers does not matter: the cycle is the same bug.
three=$(print "$programs/philosophers" 3)
is "four philosophers" "$(print "$programs/philosophers" 4)" "$three"

# If the line of the bug (here, of the assertion) is changed, this is another bug.
sed 's/assert(atomic_load(&counter) == 2)/assert(2 == atomic_load(\&counter))/' \
    "$SOURCE/programs/lost_update_wrong.c" >here/lost_update_wrong.c
cmp -s here/lost_update_wrong.c "$SOURCE/programs/lost_update_wrong.c" && fail "the line of the bug is not changed"
runs 0 "$HEDDLE" cc -g -o here/a here/lost_update_wrong.c
other=$(print here/a)
[ ${#other} = 16 ] && [ "$other" != "$(sed -n 2p all)" ] || fail "another line, the same fingerprint: '$other'"

# The schedule decides which of the two threads shows a data race, and whether by a read or a write. This is one bug:
# reported once, and counted again.
cat >race.c <<'END'
#include <pthread.h>
static int hits;
static void *count(void *argument) {
    hits++;
    return argument;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
"$HEDDLE" cc -g -o race race.c
runs 1 "$HEDDLE" run --keep-going --strategy=dfs --json=a.json ./race
says '^heddle: bug: 1 finding$'
[ "$(grep -c '==ERROR: heddle: data race' out)" = 1 ] || fail "reported more than once: $(cat out)"
says '^  the same     was found [1-9][0-9]* more times*, at other instructions$'
says '"again": [1-9]' a.json
[ ! -e race.2.trace ] || fail "a second trace"

exit $failed
