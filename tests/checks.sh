# checks.sh - sourced by every script that runs the tool: how a check fails, and what a valid result is.
#
# A comparison of two results would pass if both were missing. So a result is removed before the run that writes it,
# and checked afterwards: it must exist, contain the exit code of that run, and count what was explored.
#
# test_tests.sh runs every script with tools that do nothing or always say the same, and expects it to fail. With
# STOP_AT_FIRST_FAILURE=1 a script ends at its first failure. PATIENCE is for waiting.sh.
#
# fail() counts in the shell that calls it. In $(...), in a pipeline or in a subshell the count would be lost, so
# check outside of these.
failed=0   # the exit code of the script
failures=0 # how many checks have failed

[ -x "$HEDDLE" ] || { echo "FAILED: there is no tool: $HEDDLE"; exit 1; }

fail() {
    echo "FAILED: $*"
    failed=1
    failures=$((failures + 1))
    [ -z "${STOP_AT_FIRST_FAILURE-}" ] || exit 1
}

# is_result JSON CODE: true if the file is the result of a run with that exit code. If it claims something about all
# executions, or has a finding, it must also count executions.
is_result() {
    [ -s "$1" ] && awk -v code="$2" '
        /^  "verdict": / { verdict = $2 }
        /^  "exit_code": / { told = $2 + 0; found = 1 }
        /^  "[a-z_]*executions": / { executions += $2 }
        END {
            if (!found || told != code) exit 1
            if ((verdict == "\"verified\",") > (code == 0)) exit 1
            if ((verdict == "\"bug\",") != (code == 1)) exit 1
            exit code <= 1 && executions == 0
        }' "$1"
}

# forget_results ARGUMENT...: removes the files that a command with these arguments will write.
forget_results() {
    for given; do
        case $given in
        --json=* | --sarif=* | --junit=* | --graph=*) [ ! -f "${given#*=}" ] || rm "${given#*=}" ;;
        esac
    done
}

# check_results CODE ARGUMENT...: fails if a run with these arguments and that exit code wrote no JSON result. A run
# with a wrong command line (2) or with an error of Heddle (6) may end before it writes one.
check_results() {
    ended_with=$1
    shift
    case $ended_with in 2 | 6) return ;; esac
    for given; do
        case $given in
        --json=/dev/*) ;;
        --json=*)
            is_result "${given#*=}" "$ended_with" ||
                fail "'$*' ended with $ended_with, and this is not its result: $(cat "${given#*=}" 2>&1)"
            ;;
        esac
    done
}

# run_tool ARGUMENT...: runs `heddle run` with these arguments, which must include --json=FILE. Sets $status to its
# exit code; its output is in $work/out. Fails if there is no result.
run_tool() {
    forget_results "$@"
    "$HEDDLE" run "$@" >"$work/out" 2>&1
    status=$?
    case $status in
    0 | 1 | 3 | 5) check_results $status "$@" ;;
    *) fail "'heddle run $*' ended with $status: $(cat "$work/out")" ;;
    esac
}
