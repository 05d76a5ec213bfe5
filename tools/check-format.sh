#!/bin/sh
# check-format.sh [TREE] [--fix] - clang-format decides. Skipped (77) without it, and with another
# version than Debian 12 has: each formats a little differently.
set -eu
cd "${1:-.}"
version=14

if ! command -v clang-format >/dev/null; then
    echo "no clang-format: skipped"
    exit 77
fi
case $(clang-format --version) in
*"version $version."*) ;;
*)
    echo "not clang-format $version: skipped"
    exit 77
    ;;
esac

sources() {
    find src include tests programs bench \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' \) -print0
}

if [ "${2:-}" = --fix ]; then
    sources | xargs -0 -r clang-format -i
elif ! sources | xargs -0 -r clang-format --dry-run --Werror --ferror-limit=1; then
    echo "make format puts this right"
    exit 1
fi
