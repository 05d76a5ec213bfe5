#!/bin/sh
# test_tips.sh - no tip is refused: the options that a tip names are added to those of the run that printed it.
. "$SOURCE/tests/cli/cli.sh"

sed -n '/^cat >backoff.c/,/^END$/p' "$SOURCE/tests/cli/test_unending.sh" | sed '1d;$d' >backoff.c
sed -n '/^cat >counts.c/,/^END$/p' "$SOURCE/tests/cli/test_unending.sh" | sed '1d;$d' >counts.c
for name in backoff counts; do
    "$HEDDLE" cc -g -O1 -o $name $name.c || fail "$name does not compile"
done

# commands: prints the options that the tips in a.json name, one command in a line.
commands() {
    python3 -c '
import json, re
for tip in json.load(open("a.json"))["tips"]:
    word = r"--[a-z]+(?:-[a-z]+)*(?:=[A-Za-z0-9]+)?"
    for command in re.findall(rf"{word}(?: {word})*(?: in place of {word})?", tip["text"]):
        print(command)'
}

# without NAME OPTION...: prints the options but for that one.
without() {
    dropped=$1
    shift
    for option; do
        case $option in $dropped | "$dropped"=*) ;; *) printf '%s ' "$option" ;; esac
    done
}

# follow OPTION... PROGRAM [ARGUMENT]: runs the program, then again for each command of its tips.
tips=0
follow() {
    program=
    options=
    for word; do
        case $word in
        --*) options="$options $word" ;;
        *) program="$program $word" ;;
        esac
    done
    forget_results --json=a.json
    "$HEDDLE" run $options --json=a.json $program >out 2>err
    [ -s a.json ] || fail "no result of '$*': $(cat err)"
    commands >commands
    while read -r command; do
        tips=$((tips + 1))
        kept=$options
        case $command in
        *' in place of '*)
            kept=$(without "${command##* in place of }" $options)
            command=${command%% in place of *}
            ;;
        esac
        "$HEDDLE" run $kept $command --max-executions=3 --timeout=2s $program >out 2>err
        [ $? -ne 2 ] || fail "the tip '$command' after '$*' is refused: $(cat err)"
    done <commands
}

for program in ./backoff ./counts; do
    for options in '' --preemptions=2 --delays=2 --divergences=2 --deepen --show-races --coverage --max-steps=500 \
        --strategy=source --strategy=dfs --strategy=ses "--strategy=ses --explorer=rr" --races=ignore; do
        follow $options --max-executions=1500 --timeout=1s $program
    done
done
for options in --strategy=optimal --strategy=source --strategy=classic --strategy=dfs --preemptions=9 --delays=9 \
    --deepen=delays --divergences=9 --show-races --coverage; do
    follow $options --max-executions=300 --timeout=2s "$programs/readers" 9
done
[ $tips -gt 20 ] || fail "only $tips commands in all tips"

# No search by states where a failed try could hide a data race from it.
runs 3 "$HEDDLE" run --strategy=optimal --max-executions=300 --json=a.json ./backoff
commands | grep -q -e '--strategy=ses' && fail "states are recommended: $(commands)"

exit $failed
