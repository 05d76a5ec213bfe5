#!/bin/sh
# test_tests.sh - shows that the tests can fail: each script that runs the tool is run with an imitation instead, and
# must not pass.
#
#   silent    /bin/true
#   verified  says that all executions were explored and nothing is wrong; its JSON result has zeros for all counts
#   bug       says of every program that there is a deadlock, with a report, a JSON result and a trace
#
# `verified` and `bug` compile as the tool does, so that the scripts reach their checks. Here a script ends at its
# first failure, which takes no time, and there are only a few random programs. So this test says nothing about the
# checks after the first failure: a reader must judge them.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# The imitations print what the tool itself has printed, so their output has the right form.
"$HEDDLE" run --json=right.json "$BUILD/programs/abba_right" >right.txt
[ $? -eq 0 ] || fail "abba_right is not verified"
"$HEDDLE" run --json=bug.json --trace=bug.trace "$BUILD/programs/abba_wrong" >bug.txt
[ $? -eq 1 ] || fail "no bug in abba_wrong"
sed 's/^\( *"[a-z_]*": \)[0-9][0-9.e+-]*\(,\{0,1\}\)$/\10\2/' right.json >verified.json
grep -q '^  "executions": 0,$' verified.json || fail "the result has no zeros: $(cat verified.json)"
echo 'heddle: verified: all 1 executions, nothing cut off' >verified.txt
: >verified.trace

# imitation NAME CODE: makes a tool that always prints NAME.txt and ends with that code.
imitation() {
    cat >"$1" <<END
#!/bin/sh
case \${1-} in cc | c++) exec "$HEDDLE" "\$@" ;; esac
for argument; do
    case \$argument in
    --json=*) cat "$work/$1.json" >"\${argument#*=}" ;;
    --trace=*) cat "$work/$1.trace" >"\${argument#*=}" ;;
    esac
done
cat "$work/$1.txt"
exit $2
END
    chmod +x "$1"
}
imitation verified 0
imitation bug 1

# refuses NAME TOOL SCRIPT: the script must not pass with that tool. It may be skipped, if a part of the machine is
# missing.
refuses() {
    shell=sh
    head -n 1 "$3" | grep -q bash && shell=bash
    HEDDLE=$2 STOP_AT_FIRST_FAILURE=1 PATIENCE=1 PROGRAMS=8 HEDDLE_TEST_COUNT=8 timeout 120 $shell "$3" >out 2>&1 </dev/null
    status=$?
    ran=$((ran + 1))
    case $status in
    0) fail "${3#"$SOURCE"/tests/} passes with a tool that is $1: $(tail -n 3 out)" ;;
    77) echo "${3#"$SOURCE"/tests/}: skipped: $(tail -n 1 out)" ;;
    124) fail "${3#"$SOURCE"/tests/} does not come to an end with a tool that is $1: $(tail -n 3 out)" ;;
    *) grep -q '^FAILED: ' out || fail "${3#"$SOURCE"/tests/} says nothing with a tool that is $1: $(tail -n 3 out)" ;;
    esac
}

ran=0
for script in "$SOURCE"/tests/*/test_*.sh "$SOURCE"/tests/long/*.sh; do
    case ${script#"$SOURCE"/tests/} in
    tools/test_tests.sh) continue ;;         # this one
    docs/test_architecture.sh) continue ;;   # tests a document, not the tool
    tools/test_check_layers.sh) continue ;;  # tests a script, not the tool
    tools/test_run_tests.sh) continue ;;     # tests a script, not the tool
    tools/test_sanitized.sh) continue ;;     # tests a build of its own
    machines/test_production.sh) continue ;; # machines run without the tool
    esac
    refuses silent /bin/true "$script"
    # This script runs programs without the tool; it uses only `heddle cc`.
    [ "${script##*/}" != test_unattended.sh ] || continue
    refuses verified "$work/verified" "$script"
    refuses bug "$work/bug" "$script"
done
[ $ran -gt 100 ] || fail "only $ran runs"
echo "$ran runs with other tools"
exit $failed
