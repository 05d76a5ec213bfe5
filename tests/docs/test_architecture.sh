#!/bin/sh
# The tour in docs/ARCHITECTURE.md is up to date: every file and folder that it names exists, and it has at most 250
# lines. A path begins in src/, in a folder at the top, or in src/substrates/native/. NAME in a path stands for a name
# that the reader chooses. This is a test of a document, so it needs no tool.
set -u
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints each path of a document once: all code with a slash or with the ending of a file, and in drawings all words
# with a slash.
paths() {
    awk '
    /^```/ { drawing = !drawing; next }
    drawing { gsub(/[^a-zA-Z0-9_.\/+-]/, "\n"); print; next }
    { for (rest = $0; match(rest, /`[^`]*`/); rest = substr(rest, RSTART + RLENGTH))
          print substr(rest, RSTART + 1, RLENGTH - 2) }
    ' "$1" | grep -v 'NAME\|^lib\|^[/-]' | grep -x '[a-zA-Z0-9_.+/-]*' |
        grep '[a-z]/\|\.\(c\|h\|def\|sh\|py\|js\|cpp\|json\|md\|1\)$' | sort -u
}

# Prints a line for each thing in a document that is not as it should be.
stale() {
    paths "$1" >"$work/paths"
    while read -r path; do
        [ -e "$SOURCE/$path" ] || [ -e "$SOURCE/src/$path" ] || [ -e "$SOURCE/src/substrates/native/$path" ] ||
            echo "there is no $path"
    done <"$work/paths"
    [ "$(wc -l <"$work/paths")" -ge 60 ] || echo "it names hardly any paths"
    [ "$(wc -l <"$1")" -le 250 ] || echo "it has more than 250 lines"
}

# refused TEXT: the check says TEXT of the document in $work/changed.
refused() {
    stale "$work/changed" | grep -q -F -- "$1" || {
        echo "FAILED: the check does not say: $1"
        failed=1
    }
}

document=$SOURCE/docs/ARCHITECTURE.md
if stale "$document" | sed 's/^/FAILED: ARCHITECTURE.md: /' | grep .; then
    failed=1
fi
echo "$(wc -l <"$work/paths") paths"

# The check can fail: a stale file, a stale folder, a stale name in a drawing, a document that is too long.
sed 's/pool\.h/pond.h/' "$document" >"$work/changed"
refused "there is no base/pond.h"
sed 's,`reports/`,`accounts/`,' "$document" >"$work/changed"
refused "there is no accounts/"
sed 's,(cli/names),(cli/nouns),' "$document" >"$work/changed"
refused "there is no cli/nouns"
{ cat "$document" && yes '' | head -n 250; } >"$work/changed"
refused "more than 250 lines"
exit $failed
