#!/bin/sh
# check-format.sh [TREE] [--fix] - checks the layout of the sources by clang-format, or repairs it. The check is
# skipped (exit code 77) if clang-format is missing or is not the version of Debian 12: each version formats a little
# differently.
set -eu
cd "${1:-.}"
version=14

if ! command -v clang-format >/dev/null; then
    echo "there is no clang-format: skipped"
    exit 77
fi
case $(clang-format --version) in
*"version $version."*) ;;
*)
    echo "this is not clang-format $version: skipped"
    exit 77
    ;;
esac

sources() {
    find src include tests programs bench \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' \) -print0
}

if [ "${2:-}" = --fix ]; then
    sources | xargs -0 -r clang-format -i
elif ! sources | xargs -0 -r clang-format --dry-run --Werror --ferror-limit=1; then
    echo "run 'make format' to repair the layout"
    exit 1
fi
