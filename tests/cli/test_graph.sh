#!/bin/sh
# test_graph.sh - --graph: every execution is a leaf, findings are red, races are dashed, large searches are
# summarised, and Graphviz can read the file.
. "$SOURCE/tests/cli/cli.sh"
command -v dot >/dev/null || { echo "no Graphviz"; exit 77; }

# count CLASS: prints how many boxes or arrows of that class are in g.dot.
count() {
    grep -c "class=\"$1\"" g.dot
}

# number KEY: prints the number for that key in a.json.
number() {
    sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" a.json | head -n 1
}

# Prints the number of all executions that were begun, from a.json.
begun() {
    sed -n 's/^ *"[a-z_]*executions": \([0-9]*\),*$/\1/p' a.json | awk '{ n += $1 } END { print n }'
}

# is WHAT FOUND WANTED: fails if the two differ.
is() {
    [ -n "$2" ] && [ "$2" = "$3" ] || fail "$run: $1: '$2', not '$3'"
}

# draw CODE OPTIONS PROGRAM...: writes g.dot and a.json. Graphviz must read g.dot without a message, and count the
# same number of boxes.
draw() {
    code=$1
    options=$2
    shift 2
    run="$options $*"
    # shellcheck disable=SC2086
    runs "$code" "$HEDDLE" run -q $options --graph=g.dot --json=a.json "$@"
    dot -Tplain g.dot >plain 2>dot.err || fail "$run: dot failed"
    [ -s dot.err ] && fail "$run: dot says $(cat dot.err)"
    is "boxes" "$(grep -c '^node ' plain)" "$(grep -c ', shape=' g.dot)"
    is "edges" "$(grep -c '^edge ' plain)" "$(grep -c ' -> ' g.dot)"
}

leaves() {
    echo $(($(count complete) + $(count found) + $(count short)))
}

# Prints the number of complete executions that are counted in boxes for omitted parts.
hidden() {
    sed -n 's/.*label="\([0-9,]*\) complete", class="left-out".*/\1/p' g.dot | tr -d , | awk '{ n += $1 } END { print n + 0 }'
}

# --- each execution is a leaf, each race a dashed arrow
for strategy in optimal source classic observers; do
    draw 0 "--strategy=$strategy" "$programs/readers" 2
    is "leaves" "$(leaves)" "$(begun)"
    is "races" "$(count race)" "$(number planned)"
    [ "$(count race)" -ge 3 ] || fail "$run: $(count race) races, of 4 traces"
    is "findings" "$(count found)" 0
done
draw 0 "--strategy=optimal" "$programs/readers" 3
is "leaves" "$(leaves)" 8
is "races" "$(count race)" 7
grep -q 'label="T1 store x := 1, readers.c:[0-9]*"' g.dot || fail "the operation of a step is not named"
grep -q 'label="execution 8"' g.dot || fail "an execution has no number"

# --- findings are red: one for each execution that shows one
for program in abba_wrong lost_update_wrong null_pointer_wrong; do
    draw 1 "" "$programs/$program"
    is "findings" "$(count found)" 1
    is "leaves" "$(leaves)" "$(begun)"
done
grep -q 'class="found".*color="#c62828"' g.dot || fail "a finding is not red"
draw 1 "--keep-going" "$programs/abba_wrong"
grep -q 'label="execution 2\\ndeadlock", class="found"' g.dot || fail "the deadlock is not named"
is "leaves" "$(leaves)" "$(begun)"
# A crash that ends the process.
draw 1 "--isolate=fork" "$programs/null_pointer_wrong"
is "findings" "$(count found)" 1

# --- executions that were given up are grey, and say why
draw 0 "--strategy=source" "$programs/ext2" 1
is "leaves" "$(leaves)" "$(begun)"
is "blocked" "$(count short)" "$(number blocked_executions)"
[ "$(count short)" -gt 0 ] || fail "no execution of ext2 was blocked"
grep -q 'label="execution [0-9]*\\nblocked.*class="short".*fillcolor="#e8e8e8"' g.dot || fail "not grey"
draw 0 "--strategy=ses" "$programs/readers" 2
is "leaves" "$(leaves)" "$(begun)"
is "seen" "$(grep -c 'seen before' g.dot)" "$(number seen_executions)"
[ "$(number seen_executions)" -gt 0 ] || fail "no state of readers was seen before"
is "races" "$(count race)" 0
draw 0 "" "$programs/assume_right"
is "dropped" "$(grep -c 'assumption not met' g.dot)" "$(number dropped_executions)"
[ "$(number dropped_executions)" -gt 0 ] || fail "no execution of assume_right was dropped"

# --- searches with different bounds have their own trees, and so have members of a portfolio; repeated executions are
# counted at their place
draw 0 "--deepen" "$programs/readers" 2
is "leaves" "$(leaves)" "$(begun)"
grep -q 'label="0 preemptions"' g.dot || fail "the bound is not named"
draw 0 "--strategy=random --max-executions=40" "$programs/readers" 2
again=$(sed -n 's/.*label="execution [0-9]*, and \([0-9]*\) more".*/\1/p' g.dot | awk '{ n += $1 } END { print n + 0 }')
is "executions" $(($(leaves) + again)) 40
draw 0 "--strategy=portfolio" "$programs/readers" 2
grep -q 'label="optimal"' g.dot || fail "the member is not named"
# Choices within a step.
draw 0 "" "$programs/choose_right"
is "leaves" "$(leaves)" "$(begun)"
grep -q 'label="T1 choose, choose_right.c' g.dot && grep -q 'label="chooses 2"' g.dot || fail "a choice is not shown"
# Machines.
draw 3 "--max-executions=40" "$programs/protocols/german"
[ "$(leaves)" -gt 0 ] || fail "$run: no leaf"

# --- a large search is summarised: the leaves and the counts in the omitted parts add up to all executions
draw 0 "" "$programs/lastzero" 10
[ "$(grep -c ', shape=' g.dot)" -le 400 ] || fail "too many boxes"
is "executions" $(($(leaves) + $(hidden))) 3328
grep -q "not drawn one by one: executions 3,327 complete" g.dot || fail "the title does not say what is left out"
grep -q "label=\"T0 create T1 (scan), lastzero.c:[0-9]*\\\\n([0-9]* steps)" g.dot || fail "chains are not folded"
cp g.dot again.dot
draw 0 "" "$programs/lastzero" 10
cmp -s g.dot again.dot || fail "the same search gives another graph"

# --- interrupted: the explored part is drawn, even if a second interrupt comes while the file is written
start "$HEDDLE" run -q --graph=g.dot --json=a.json "$programs/lastzero" 24
searching
for again in 1 2 3 4 5 6 7 8 9 10; do
    kill -TERM "$background" 2>/dev/null
    sleep 0.003
done
end_started
[ $status -eq 3 ] || fail "interrupted: $status, $(cat out err)"
grep -q "executions" g.dot && [ "$(leaves)" -gt 0 ] || fail "nothing was drawn of an interrupted run"
is "executions" $(($(leaves) + $(hidden))) "$(begun)"

# --- a program that ends before main
cat >early.c <<'END2'
#include <unistd.h>
__attribute__((constructor)) static void leave(void) {
    _exit(3);
}
int main(void) {
    return 0;
}
END2
runs 0 "$HEDDLE" cc -o early early.c
runs 5 "$HEDDLE" run --graph=g.dot --coverage ./early
[ "$(wc -l <err)" -eq 1 ] || fail "not one line: $(cat err)"
dot -Tplain g.dot >plain || fail "early: dot failed"

# --- SVG, and errors
runs 0 "$HEDDLE" run -q --graph=g.svg "$programs/readers" 2
grep -q "<svg" g.svg && grep -q "execution 4" g.svg || fail "no SVG"
grep -q 'class="node found"' g.svg && fail "a finding in a right program"
runs 2 "$HEDDLE" run --graph=g.png "$programs/readers" 2
says "must end in .dot, .gv or .svg" err
runs 2 "$HEDDLE" run --graph=no/such/g.dot "$programs/readers" 2
says "no/such/g.dot: No such file" err
runs 2 env PATH=/nowhere "$HEDDLE" run --graph=h.svg "$programs/readers" 2
says "needs the program .dot. of Graphviz" err
[ ! -e h.svg ] || fail "a file was left although nothing can be drawn"
exit $failed
