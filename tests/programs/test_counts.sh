#!/bin/sh
# `optimal` explores one execution for each trace. The number of traces is a property of the
# program, known by a formula. Sleep sets block no execution. `source` and `classic` lie between
# `optimal` and the unreduced search, with their blocked executions counted. `observers` has fewer
# executions if an order of stores or messages cannot be observed, by a formula of its own, and
# otherwise as many as `optimal`. `persistent` is compared with the state graph.
set -u
. "$SOURCE/tests/programs/programs.sh"

explore_sized() { # strategy, program, size
    run_tool -q --strategy="$1" --timeout=600 --json="$work/a.json" "$BUILD/programs/$2" "$3"
    executions=$(field "$work/a.json" executions)
    blocked=$(field "$work/a.json" blocked_executions)
}

observe() { # program, size, classes
    checked=$((checked + 1))
    explore_sized observers "$1" "$2"
    [ "$executions $blocked" = "$3 0" ] ||
        fail "$1($2): $3 observable classes, but $executions executions and $blocked blocked"
}

count() { # program, size, number of traces, [number for observers, if it is smaller]
    checked=$((checked + 1))
    observe "$1" "$2" "${4:-$3}"
    explore_sized optimal "$1" "$2"
    [ "$executions $blocked" = "$3 0" ] ||
        fail "$1($2): $3 traces, $executions executions and $blocked blocked"
    [ "$3" -le 1000 ] || return
    for strategy in source classic; do
        explore_sized $strategy "$1" "$2"
        [ $((executions + blocked)) -ge "$3" ] ||
            fail "$1($2): $3 traces, but $strategy has $executions executions"
    done
}

# readers(n): 2^n
count readers 2 4
count readers 8 256
count readers 13 8192
# lastzero(n): (n + 3) * 2^(n - 2)
count lastzero 5 64
count lastzero 10 3328
count lastzero 15 147456
# Equal parts of wakeup trees are stored once (strategies/dpor/share.h). Without this, 75 MB. Larger
# sizes are in tests/long/memory.sh.
explore_sized optimal lastzero 15
memory=$(field "$work/a.json" memory_kb)
[ "$memory" -le 8192 ] || fail "lastzero(15) took $memory KB, not 8,192 at most"
# indexer(n): 8^(n - 11)
count indexer 12 8
count indexer 15 4096
# filesystem(n): 2^(n - 13)
count filesystem 14 2
count filesystem 16 8
count filesystem 18 32
count filesystem 19 64
# ext(n): 4n + 1; ext2(n): 6n + 1
count ext 7 29
count ext 8 33
count ext 9 37
count ext2 1 7
count ext2 9 55
# nwriters(n), unread(n), selective(n), anymail(n): n! traces. Observable are the last store,
# nothing, nothing, and the first message.
count nwriters 6 720 6
count unread 5 120 1
count selective 6 720 1
count selective 8 40320 1
count anymail 5 120 5
observe nwriters 16 16
observe anymail 12 12
# six orders; if the read comes first, the order of the two stores cannot be observed
count onereader 2 6 5
# lock(n): (2n)! / (n + 1)! traces. Observable are the n! orders of the clients.
count lock 3 30 6
count lock 4 336 24
count lock 5 5040 120
count lock 6 95040 720

# Philosophers: `persistent` needs fewer transitions than the state graph has (seed 003, section 4),
# and finds the deadlock.
philosophers() { # size, transitions of the state graph
    checked=$((checked + 1))
    run_tool -q --strategy=persistent --keep-going --json="$work/a.json" --trace="$work/a.trace" \
        "$BUILD/programs/philosophers" "$1"
    transitions=$(field "$work/a.json" transitions)
    [ "$transitions" -lt "$2" ] || fail "philosophers($1): $transitions transitions, the graph has $2"
    [ "$(kinds "$work/a.json")" = deadlock ] || fail "philosophers($1): no deadlock"
}
philosophers 2 18
philosophers 3 123
philosophers 4 708
philosophers 5 3765
finish
