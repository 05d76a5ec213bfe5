#!/bin/sh
# check-layers.sh [TREE] - checks that includes point one way. Prints each include that does not, and fails.
#
#   base <- event <- execution <- engine <- strategies, analyses, substrates/* <- runtime, cli
#   execution <- trace <- reports <- cli
#   base <- machines <- substrates/native
#
# Siblings (strategies, analyses, each substrate) do not include each other. machines knows nothing of events and the
# engine, because machines also run without the tool. runtime joins all of them inside the tested program. reports
# sees trace and the layers below. stub sees only include/, and only layers that make a program from it see stub:
# substrates/native, machines, runtime, cli. include/ knows nothing of src/. Own headers are written "layer/file.h",
# from src/.
set -eu
cd "${1:-.}"

# find | sort: the messages have the same order on every machine.
files=$(find src include -name '*.[ch]' -o -name '*.def' | sort)
[ -n "$files" ] || exit 0

printf '%s\n' "$files" | xargs awk '
BEGIN {
    low = "base event execution"
    may["base"] = ""
    may["event"] = "base"
    may["execution"] = "base event"
    may["trace"] = low
    may["engine"] = low
    may["strategies"] = may["analyses"] = low " engine"
    may["substrates/"] = low " engine"
    may["substrates/native"] = low " engine machines stub"
    may["machines"] = "base stub"
    may["runtime"] = low " engine strategies analyses substrates/native machines stub"
    may["reports"] = low " trace"
    may["stub"] = ""
    may["include"] = ""
    may["cli"] = low " trace engine strategies analyses substrates/ machines reports stub"
}

# The layer of a path below src/ is its first folder, except that each substrate is a layer of its own.
function layer_of(path,    parts, count) {
    count = split(path, parts, "/")
    if (count < 2) return ""
    return parts[1] == "substrates" && count > 2 ? parts[1] "/" parts[2] : parts[1]
}

function family(layer) {
    return layer ~ /^substrates\// ? "substrates/" : layer
}

function known(layer) {
    return (layer in may) || (family(layer) in may)
}

function allowed(from, to,    list, count, i, names) {
    if (from == to) return 1
    list = (from in may) ? may[from] : may[family(from)]
    count = split(list, names, " ")
    for (i = 1; i <= count; i++)
        if (names[i] == to || names[i] == family(to)) return 1
    return 0
}

function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    bad = 1
}

FNR == 1 {
    own = FILENAME
    from = own ~ /^include\// ? "include" : layer_of(substr(own, length("src/") + 1))
    if (!known(from)) complain("belongs to no layer that is listed in tools/check-layers.sh")
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    match($0, /[<"][^>"]*[>"]/)
    quoted = substr($0, RSTART, 1) == "\""
    path = substr($0, RSTART + 1, RLENGTH - 2)
    to = layer_of(path)
    if (path ~ /(^|\/)\.\.?\//) complain("write \"layer/file.h\" from src/, not " path)
    else if (path ~ /^heddle\//) next
    else if (to == "" || !known(to)) {
        if (quoted) complain("write \"layer/file.h\" from src/, not " path)
    } else if (!quoted) complain("write \"" path "\" with quotes: it is ours")
    else if (!allowed(from, to)) complain(from " must not include " path)
}

END { exit bad }
'
