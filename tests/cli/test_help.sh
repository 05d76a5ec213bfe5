#!/bin/sh
# test_help.sh - the help of `heddle run`: a short one with the options that most users need, and a long one that has
# every option once, in groups.
. "$SOURCE/tests/cli/cli.sh"

runs 0 "$HEDDLE" run --help
short=$(grep -c '^  .*--' out)
[ "$short" -ge 8 ] && [ "$short" -le 12 ] || fail "the short help shows $short options, not about ten"
says '^      --strategy=NAME '
says '--help=all lists every option'
says '^Exit codes: 0 '
says_not '^Strategies:'

runs 0 "$HEDDLE" run --help=all
for title in 'The search' 'Its bounds' 'What counts as wrong' 'The program' 'Output' Strategies; do
    says "^$title:\$"
done
[ -z "$(awk 'length > 110' out)" ] || fail "a line of the help is too long: $(awk 'length > 110' out)"

# Every row of the option table is in the long help, once. (Rows are the lines that begin with a brace.)
rows=$(cat "$SOURCE"/src/cli/options/table.c | sed -n 's/^    {"\([a-z-]*\)".*/\1/p')
[ "$(echo "$rows" | wc -l)" -ge 40 ] || fail "the table has too few rows: $rows"
for name in $rows; do
    [ "$(grep -c -- "^  .\{4\}--$name[=[ ]" out)" = 1 ] || fail "--$name is not once in --help=all"
done

runs 2 "$HEDDLE" run --help=bogus
says "no help on 'bogus'" err
runs 0 "$HEDDLE" estimate --help
says '^  -h, --help  *this text$'
exit $failed
