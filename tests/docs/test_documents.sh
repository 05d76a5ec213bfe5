#!/bin/sh
# The documents are true: every command in README, TUTORIAL, MACHINES and TOO_BIG is run, in the order of the page,
# and must print what the page shows.
#
#   ```console  lines after `$ ` are commands; the other lines are output, each of which must come, in
#               this order; `...` stands for lines that are not shown
#   ```c        a block that begins with /* NAME.c - is the file NAME.c
#   ```diff     a hunk for the file in its first line, `--- NAME`
#
# pkg-config finds the files that `make install` would install. Numbers that differ from run to run (processes,
# addresses, seconds, frames of gdb) may differ. Left out: commands that build or install, because this script is part
# of `make test`. Links between documents must lead to existing files.
set -u
. "$SOURCE/tests/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
PATH=$BUILD:$PATH
export PATH
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS
cmake --install "$BUILD" --prefix "$work/installed" >/dev/null || exit 1
# The path is relative to the folder of a page, because the path of $work may contain blanks, which no command of a
# page expects.
PKG_CONFIG_PATH=../$(cd "$work" && dirname "$(find installed -name heddle-machines.pc)")
export PKG_CONFIG_PATH
commands=0

# Cuts a page into numbered files: NNN.file, NNN.hunk (whose first line is the name), NNN.command, NNN.shown.
cut_page() {
    awk -v to="$2" '
    function begin(suffix) { close(item); item = sprintf("%s/%03d.%s", to, ++count, suffix) }
    /^```/ && block != "" { block = ""; shown = ""; next }
    /^```/ { block = substr($0, 4); if (block == "") block = "text"; first = 1; next }
    block == "c" && first && /^\/\* [a-z_]*\.c - / { begin("file"); print $2 > item; own = 1 }
    block == "c" && first && !/^\/\* [a-z_]*\.c - / { own = 0 }
    block == "c" && own { print > item }
    block == "diff" && first { begin("hunk"); print $2 > item; first = 0; next }
    block == "diff" { print > item }
    block == "console" && /^\$ / {
        begin("command"); print substr($0, 3) > item
        shown = item; sub(/command$/, "shown", shown); printf "" > shown
        next
    }
    block == "console" { print > shown }
    { first = 0 }
    ' "$1"
}

# Replaces the old lines of a hunk by the new ones in the named file. Fails if the old lines are not there.
apply_hunk() {
    awk '
    FNR == 1 && ++files == 1 { next }
    files == 1 && !/^\+/ { old = old substr($0, 2) "\n" }
    files == 1 && !/^-/ { new = new substr($0, 2) "\n" }
    files == 2 { text = text $0 "\n" }
    END {
        at = index(text, old)
        if (at == 0) exit 1
        printf "%s%s%s", substr(text, 1, at - 1), new, substr(text, at + length(old))
    }' "$1" "$2"
}

without_numbers() {
    sed -e 's/==[0-9]*==/==N==/' -e 's/0x[0-9a-f]*/0xN/g' -e 's/[0-9.]* s\([, ]\|$\)/N s\1/g' \
        -e 's/, [0-9,]* executions a second//' -e 's/^#[0-9]*  */#N  /' "$1"
}

# Every line of SHOWN must be in OUTPUT, in this order. Without a `...` in between, the lines must be adjacent.
compare() {
    without_numbers "$1" >"$work/shown"
    without_numbers "$2" >"$work/output"
    awk '
    FILENAME == ARGV[1] { output[++count] = $0; next }
    $0 == "..." { skips = 1; next }
    {
        for (at++; skips && at <= count && output[at] != $0; at++);
        if (at > count || output[at] != $0) {
            print "shown, but not printed: " $0
            exit bad = 1
        }
        skips = 0
    }
    END {
        if (!bad && !skips && at < count) {
            print "printed, but not shown: " output[at + 1]
            exit 1
        }
    }
    ' "$work/output" "$work/shown"
}

# Some containers forbid debuggers, which is not a fault of the page.
skipped() {
    case $1 in
    make* | apt-get* | sudo*) return 0 ;;
    *--gdb*) ! gdb -q -batch -ex run --args true 2>&1 | grep -q 'exited normally' ;;
    *) return 1 ;;
    esac
}

# Runs one command in the folder of its page. $? in the command is the exit code of the command before.
run_command() {
    command=$(cat "$1.command")
    skipped "$command" && return
    commands=$((commands + 1))
    (
        cd "$page" || exit 1
        sh -c "exit $status"
        eval "$command"
    ) >"$work/printed" 2>&1 </dev/null
    status=$?
    difference=$(compare "$1.shown" "$work/printed") || {
        fail "$name: \$ $command: $difference: $(cat "$work/printed")"
    }
}

run_item() {
    case $1 in
    *.file) tail -n +2 "$1" >"$page/$(head -n 1 "$1")" ;;
    *.hunk)
        file=$page/$(head -n 1 "$1")
        apply_hunk "$1" "$file" >"$work/new" || fail "$name: a hunk does not apply"
        mv "$work/new" "$file"
        ;;
    *.command) run_command "${1%.command}" ;;
    esac
}

run_page() {
    name=$1
    status=0
    items=$work/items.$(basename "$name")
    page=$work/page.$(basename "$name")
    mkdir "$items" "$page"
    cp -r "$SOURCE/programs" "$page" && chmod -R u+w "$page" # the tree may be read-only
    ln -s "$BUILD" "$page/build"
    cut_page "$SOURCE/$name" "$items"
    for item in "$items"/*; do
        run_item "$item"
    done
}

# Prints the relative links of a document, one in each line.
links() {
    sed 's/](/\n](/g' "$1" | sed -n 's/^](\([^)#]*\).*/\1/p' | grep -v '^[a-z]*:' | sed '/^$/d'
}

# The manual of `heddle run` names every option, strategy and explorer that the help names.
check_manual() {
    manual=$SOURCE/docs/man/heddle-run.1
    "$HEDDLE" run --help=all | sed -n 's/^  \(    \|-., \)--\([a-z-]*\).*/\2/p' >"$work/options"
    [ "$(wc -l <"$work/options")" -gt 30 ] || fail "heddle run --help=all has hardly any options"
    while read -r option; do
        grep -q "^\.It Fl .*-$option\( \|\$\)" "$manual" || fail "heddle-run.1: --$option is missing"
    done <"$work/options"
    "$HEDDLE" run --help=all | sed -n '/^Strategies:/,/^The same/s/^  \([a-z-]*\) .*/\1/p' >"$work/names"
    [ "$(wc -l <"$work/names")" -gt 10 ] || fail "heddle run --help=all has hardly any strategies"
    while read -r name; do
        grep -q "^\.Cm .*\<$name\>" "$manual" || fail "heddle-run.1: $name is missing"
    done <"$work/names"
}

check_manual
[ "$("$BUILD/heddle" --version)" = "$("$HEDDLE" --version)" ] || fail "the commands would run another tool than $HEDDLE"
for name in README.md docs/TUTORIAL.md docs/MACHINES.md docs/TOO_BIG.md; do
    run_page "$name"
done
for document in "$SOURCE"/*.md "$SOURCE"/docs/*.md; do
    for link in $(links "$document"); do
        [ -e "$(dirname "$document")/$link" ] || fail "${document##*/}: $link is not there"
    done
done

echo "$commands commands run, $failures failures"
[ "$commands" -gt 10 ] && [ "$failures" -eq 0 ]
