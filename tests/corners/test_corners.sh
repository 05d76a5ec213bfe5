#!/bin/sh
# test_corners.sh - corner cases of POSIX threads, C11, C++17 and C++20, each with the answer that
# the standards give.
#
# corner.h says how a program states its answer. This test compiles each file with one compiler at
# one level, which differ from file to file. long/corners.sh uses both compilers at -O0 and -O2
# (VARIANTS=all), replays all findings (REPLAY=1), and checks that other strategies do not
# contradict the answer (STRATEGIES=1).
# FILES names the files whose programs are run; the default is all files.
#
# The table lists what each file covers, with its number of programs. If a program is added or
# removed, change its line here.
covered='
31 atomics.c <stdatomic.h>: operations, memory orders, and what they order
19 attributes.c attribute objects: values that were set are read back, invalid values are refused. Also objects that were never initialised
10 barriers.c pthread_barrier_*
18 c11_threads.c <threads.h> (C11 7.26)
22 cancellation.c pthread_cancel, its states and types, and cleanup handlers
19 condvars.c condition variables: lost signals, wrong predicates, and which thread is woken
15 ending.c the end of a program: exit, handlers, return from main, and threads that are still there
13 fences.c atomic_thread_fence and atomic_signal_fence (C11 7.17.4)
14 keys.c thread-specific data and its destructors
20 memory.c heap misuse, and the functions that copy and fill memory
15 memory_locations.c what counts as one memory location (C11 3.14), and plain, volatile and mixed accesses
47 misbehaving.c programs that do what no test should do: the tool must still end with a true verdict line and exit code
17 mixtures.c two features at once: recursive mutexes with condition variables, cancellation with waits, threads that end inside pthread_once
29 mutexes.c mutexes of all types: which threads may lock, unlock, try and destroy them
8 once.c pthread_once
18 patterns.c textbook algorithms, right and wrong
8 robust.c robust mutexes, which survive the end of their owner
17 rwlocks.c read-write locks: readers hold them together, a writer alone
14 semaphores.c unnamed semaphores of POSIX
18 signals.c signals of a program to itself and to its threads
8 spinlocks.c pthread_spin_*
9 thread_local.c thread-local variables: _Thread_local and __thread
28 threads.c creation, join, detach, identity and the end of threads
17 timed.c waits with a deadline: each may time out, and each must be able to succeed
23 cpp17_containers.cpp containers and streams shared by threads ([res.on.data.races], [container.requirements.dataraces])
26 cpp17_locks.cpp mutexes, locks and condition variables of C++
18 cpp17_misbehaving.cpp errors at the end of C++ programs: exceptions where none are allowed, and objects that are destroyed late
17 cpp17_mixtures.cpp C++ objects in threads that end by POSIX functions, and less usual members of the thread library
23 cpp17_objects.cpp static and thread_local objects, call_once, shared_ptr and exceptions
27 cpp17_threads.cpp std::thread, std::async, futures and promises
24 cpp20_atomics.cpp std::atomic, atomic_ref, wait and notify, atomic_flag, atomic<shared_ptr>
25 cpp20_sync.cpp latches, barriers, semaphores, jthread and stop tokens
'
set -u
. "$SOURCE/tests/checks.sh"
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX
here=$SOURCE/tests/corners
tab=$(printf '\t')
programs=0
pending=0

# compile FILE COMPILER LEVEL: compiles the file to ./corner.
compile() {
    rm -f corner
    case $1 in
    *.c) HEDDLE_CC=$2 "$HEDDLE" cc -std=gnu11 -g "-$3" -w -o corner "$here/$1" -latomic ;;
    cpp17_*) HEDDLE_CXX=$2 "$HEDDLE" c++ -std=c++17 -g "-$3" -w -o corner "$here/$1" -latomic ;;
    cpp20_*) HEDDLE_CXX=$2 "$HEDDLE" c++ -std=c++20 -g "-$3" -w -o corner "$here/$1" -latomic ;;
    esac >compiled 2>&1
    [ -x corner ] || fail "$1 cannot be compiled by $2 at -$3: $(cat compiled)"
}

# json_string NAME, json_number NAME: the first field of this name in the result.
json_string() {
    sed -n "/^ *\"$1\": \"/{s/^[^:]*: \"\([^\"]*\)\".*/\1/p;q}" result.json
}

json_number() {
    sed -n "/^  \"$1\": /{s/^[^:]*: \([0-9]*\).*/\1/p;q}" result.json
}

# judge NAME VERDICT KIND EXECUTIONS OPTIONS: runs ./corner NAME. $answer says what was wrong, or is
# empty.
judge() {
    options=
    [ "$5" = - ] || options=$5
    rm -f result.json
    # shellcheck disable=SC2086 # options are words
    timeout 120 "$HEDDLE" run $options --timeout=60s --minimise=off --json=result.json --trace=corner.trace ./corner "$1" >out 2>&1 </dev/null
    code=$?
    verdict=
    [ ! -s result.json ] || verdict=$(json_string verdict)
    kind=-
    [ "$verdict" != bug ] || kind=$(json_string kind)
    answer=
    case $verdict/$code in
    verified/0 | bug/1 | unsupported/5) is_result result.json $code || answer="no result" ;;
    *) answer="verdict '$verdict' with exit code $code" ;;
    esac
    [ "$verdict $kind" = "$2 $3" ] || answer="$verdict $kind instead of $2 $3"
    [ "$4" = - ] || [ -n "$answer" ] || [ "$(json_number executions)" = "$4" ] ||
        answer="$(json_number executions) executions instead of $4"
    [ -z "${REPLAY-}" ] || [ -n "$answer" ] || [ "$verdict" != bug ] || replays
    [ -z "${STRATEGIES-}" ] || [ -n "$answer" ] || agrees "$1" "$2"
}

# agrees NAME VERDICT: the search of all interleavings and the search by states must give the same
# verdict, or say that they do not know.
agrees() {
    for strategy in dfs ses; do
        # shellcheck disable=SC2086 # options are words
        "$HEDDLE" run $options --strategy=$strategy --timeout=3s --minimise=off --trace=other.trace ./corner "$1" >other 2>&1 </dev/null
        case $2/$? in
        verified/0 | verified/3 | bug/1 | bug/3 | */5) ;;
        *) answer="$strategy says otherwise: $(tail -n 8 other)" ;;
        esac
    done
}

# replays: a replay must lead to the same finding.
replays() {
    "$HEDDLE" replay corner.trace >replayed 2>&1 </dev/null
    [ $? -eq 1 ] || answer="the replay ended otherwise: $(tail -n 3 replayed)"
}

# run_family FILE COMPILER LEVEL: compiles a file and judges all of its programs.
run_family() {
    compile "$@"
    [ -x corner ] || return
    while IFS=$tab read -r family name verdict kind executions options waits; do
        [ "$family" = "$1" ] || continue
        judge "$name" "$verdict" "$kind" "$executions" "$options"
        programs=$((programs + 1))
        if [ "$waits" != - ]; then
            pending=$((pending + 1))
            echo "pending: $1 $name, by $2 at -$3: ${answer:-right now}: $waits"
        elif [ -n "$answer" ]; then
            fail "$1 $name, by $2 at -$3: $answer: $(cat out)"
        fi
    done <list
}

awk -f "$here/read.awk" "$here"/*.c "$here"/*.cpp >list
[ "$(cut -f 2 list | sort | uniq -d)" = "" ] || fail "two programs of one name: $(cut -f 2 list | sort | uniq -d)"
[ "$(cut -f 3 list | sort -u | tr '\n' ' ')" = "bug unsupported verified " ] || fail "answers: $(cut -f 3 list | sort -u)"

# The words on which an answer relies must stand in the document.
tr -s ' \n' '  ' <"$SOURCE/docs/CONTROLLED.md" >document
sed -n '/^ \* documented: /{s/^ \* documented: //;s/ *\*\/$//;p;}' "$here"/*.c "$here"/*.cpp >relied_on
[ -s relied_on ] || fail "nothing relies on the document"
while read -r words; do
    grep -qF -e "$words" document || fail "not in docs/CONTROLLED.md any more: $words"
done <relied_on

echo "$covered" | grep . >families
total=0
number=0
while read -r count file about; do
    found=$(cut -f 1 list | grep -cx "$file")
    [ "$found" -eq "$count" ] || fail "$file has $found programs, not $count"
    total=$((total + found))
    printf '%3d %-24s %s\n' "$found" "$file" "$about"
    case " ${FILES:-$file} " in *" $file "*) ;; *) continue ;; esac
    case $file in *.c) gcc=gcc clang=clang ;; *) gcc=g++ clang=clang++ ;; esac
    if [ "${VARIANTS-}" = all ]; then
        for level in O0 O2; do
            run_family "$file" $gcc $level
            run_family "$file" $clang $level
        done
    else
        case $number in
        0) run_family "$file" $gcc O0 ;;
        1) run_family "$file" $clang O2 ;;
        2) run_family "$file" $gcc O2 ;;
        3) run_family "$file" $clang O0 ;;
        esac
        number=$(((number + 1) % 4))
    fi
done <families
[ "$(wc -l <list)" -eq $total ] || fail "a file is not in the list of what is covered: $(cut -f 1 list | sort -u)"
[ $total -ge 300 ] || fail "only $total programs"
echo "$total programs, $programs runs, $pending of them pending"
exit $failed
