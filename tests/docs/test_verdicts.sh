#!/bin/sh
# The table of docs/VERDICTS.md is true, row by row: exit code, verdict, list of omissions and first line, on the
# terminal and in the JSON result.
set -u
. "$SOURCE/tests/checks.sh"
[ -x "$BUILD/programs/readers" ] || { echo "FAILED: there are no programs in $BUILD"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS
cd "$work" || exit 1
rows=0

for source in "$SOURCE"/tests/verdicts/*.c; do
    "$HEDDLE" cc -o "$(basename "$source" .c)" "$source" || fail "$source is not compiled"
done
for program in "$BUILD"/programs/*; do
    [ ! -f "$program" ] || [ -e "$(basename "$program")" ] || ln -s "$program" .
done

# check COMMAND CODE VERDICT LEFT_OUT LINE
check() {
    rm -f a.json
    # shellcheck disable=SC2086
    "$HEDDLE" run --json=a.json $(echo "$1" | sed 's/\(^\| \)\([a-z]\)/\1.\/\2/') >out 2>err
    code=$?
    [ $code -eq "$2" ] || fail "$1: exit code $code, not $2: $(cat out err)"
    line=$(sed -n 's/^heddle: //p' out | head -n 1)
    [ "$line" = "$5" ] || fail "$1: '$line', not '$5'"
    python3 - "$2" "$3" "$4" "$5" <<'END' || fail "$1: $(cat a.json)"
import json, sys
result = json.load(open("a.json"))
code, verdict, left_out, line = sys.argv[1:]
got = (result["exit_code"], result["verdict"], [entry["name"] for entry in result["left_out"]], result["message"])
expected = (int(code), verdict, left_out.split(), line)
if got != expected:
    sys.exit("JSON: %r, not %r" % (got, expected))
if not all(entry["text"] for entry in result["left_out"]):
    sys.exit("JSON: an omission without a text")
if result["complete"] != (int(code) == 0 or (verdict == "bug" and not left_out)):
    sys.exit("JSON: complete is %r" % result["complete"])
END
}

sed -n '/^## Row by row/,$ s/^| `\(.*\)` | \([0-9]\) | \(.*\) |$/\1|\2|\3/p' "$SOURCE/docs/VERDICTS.md" >table
while IFS='|' read -r command code verdict left_out line; do
    rows=$((rows + 1))
    check "$command" "$code" "$(echo $verdict)" "$(echo $left_out)" "$(echo "$line" | sed 's/^ //')" </dev/null
done <table
# Each kind of omission is in the page and in the schema.
omissions=$(find "$SOURCE/src" -name omissions.def -exec sed -n 's/^OMISSION([^"]*"\([a-z-]*\)".*/\1/p' {} +)
[ "$(echo "$omissions" | wc -w)" -ge 5 ] || fail "hardly any kinds of omissions: $omissions"
for name in $omissions; do
    grep -q "^| \`$name\` |" "$SOURCE/docs/VERDICTS.md" || fail "VERDICTS.md does not explain $name"
    grep -q "\"$name\"" "$SOURCE/docs/heddle-run.schema.json" || fail "the schema does not know $name"
done
# Each kind of finding is in the manual and in the schema.
kinds=$(sed -n 's/^FINDING([^"]*"\([a-z-]*\)".*/\1/p' "$SOURCE/src/execution/finding_kinds.def")
[ "$(echo "$kinds" | wc -w)" -ge 10 ] || fail "hardly any kinds of findings: $kinds"
for name in $kinds; do
    grep -q "^\.Cm $name [,.]" "$SOURCE/docs/man/heddle-run.1" || fail "heddle-run.1 does not name $name"
    grep -q "\"$name\"" "$SOURCE/docs/heddle-run.schema.json" || fail "the schema does not know $name"
done
[ $rows -ge 30 ] || fail "only $rows rows in the table"
echo "$rows rows checked"
exit $failed
