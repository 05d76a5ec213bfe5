#!/bin/sh
# The layer check accepts a correct tree, and names each include that points the wrong way.
set -eu
check=$SOURCE/tools/check-layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() {
    echo "FAILED: $1"
    exit 1
}

# put FILE LINE: writes a file with one line.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$tree/$1"
}

# refused FILE INCLUDE: with this include in the file, the check fails and names the file.
refused() {
    put "$1" "#include $2"
    if output=$(sh "$check" "$tree"); then
        fail "$1 may include $2"
    fi
    case $output in
    *"$1:1:"*) ;;
    *) fail "the message does not name $1: $output" ;;
    esac
    rm "$tree/$1"
}

# accepted FILE INCLUDE: with this include in the file, the check passes.
accepted() {
    put "$1" "#include $2"
    output=$(sh "$check" "$tree") || fail "$1 may not include $2: $output"
}

mkdir -p "$tree/src" "$tree/include"
sh "$check" "$tree" || fail "an empty tree is refused"

accepted src/base/arena.c '"base/arena.h"'
accepted src/base/map.c '<string.h>'
accepted src/base/trace.c '<sys/wait.h>'
accepted src/event/op_kind.c '"base/arena.h"'
accepted src/trace/file.c '"event/op.h"'
accepted src/execution/execution.c '"event/op.h"'
accepted src/trace/file.c '"execution/execution.h"'
accepted src/engine/explore.c '"execution/execution.h"'
accepted src/strategies/dpor/source.c '"engine/strategy.h"'
accepted src/strategies/dpor/optimal.c '"strategies/dpor/source.h"'
accepted src/analyses/race.c '"engine/analysis.h"'
accepted src/substrates/native/tasks/fiber.c '"substrates/native/fiber.h"'
accepted src/substrates/native/api.c '"stub/stub.h"'
accepted src/machines/table.c '"base/arena.h"'
accepted src/machines/production.c '"stub/stub.h"'
accepted src/substrates/native/machine.c '"machines/table.h"'
accepted src/runtime/inside.c '"analyses/analyses.h"'
accepted src/reports/text.c '"trace/file.h"'
accepted src/stub/choose.c '<heddle/heddle.h>'
accepted src/cli/run.c '"strategies/dfs.h"'
accepted src/cli/commands/show.c '"reports/text.h"'
accepted src/cli/play.c '"substrates/scripted/scripted.h"'
accepted include/heddle/machine.h '<heddle/heddle.h>'

refused src/base/bad.c '"event/op.h"'
refused src/event/bad.h '"trace/file.h"'
refused src/trace/bad.c '  "engine/system.h"'
refused src/engine/bad.c '"strategies/dfs.h"'
refused src/engine/bad.c '"trace/file.h"'
refused src/execution/bad.c '"trace/file.h"'
refused src/engine/bad.def '"cli/run/run.h"'
refused src/strategies/bad.c '"analyses/race.h"'
refused src/strategies/dpor/bad.c '"substrates/native/fiber.h"'
refused src/analyses/bad.c '"strategies/dfs.h"'
refused src/substrates/scripted/bad.c '"substrates/native/fiber.h"'
refused src/machines/bad.c '"substrates/native/fiber.h"'
refused src/machines/bad.c '"event/op.h"'
refused src/substrates/scripted/bad.c '"machines/table.h"'
refused src/engine/bad.c '"machines/table.h"'
refused src/substrates/scripted/bad.c '"stub/stub.h"'
refused src/runtime/bad.c '"cli/run/run.h"'
refused src/substrates/native/bad.c '"runtime/inside.h"'
refused src/reports/bad.c '"engine/verdict.h"'
refused src/stub/bad.c '"base/arena.h"'
refused src/engine/bad.c '"cli/run/run.h"'
refused src/base/bad.c '"arena.h"'
refused src/engine/bad.c '"../base/arena.h"'
refused src/engine/bad.c '<base/arena.h>'
refused src/helpers/bad.c '<string.h>'
refused src/bad.c '<string.h>'
refused include/heddle/bad.h '"engine/system.h"'
