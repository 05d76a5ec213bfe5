#!/bin/sh
# peers.sh - compares Heddle with other checkers, in turns, on this machine. The table shows the CPU seconds of the
# whole command, the least of ROUNDS runs (5; four times as many for short runs), and how many times as much each of
# the others takes. The others get compiled programs, in the form that suits them best: -O2 for Nidhugg, -O0 for
# GenMC, as GenMC does it itself. Both must be installed, with the clang of their LLVM. The headers of GenMC must be
# beside it, or at GENMC_INCLUDE:
#
#   NIDHUGG=.../nidhugg GENMC=.../genmc CLANG=clang-14 sh bench/peers.sh
. "$(dirname "$0")/common/measure.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
clang=${CLANG:-clang}
rounds=${ROUNDS:-5}
nidhugg=$(command -v "${NIDHUGG:-nidhugg}") genmc=$(command -v "${GENMC:-genmc}") || {
    echo "peers.sh: Nidhugg or GenMC was not found. Set NIDHUGG and GENMC to their paths"
    exit 0
}

include=${GENMC_INCLUDE:-$(dirname "$genmc")/include} # the headers of GenMC

cpu() { # cpu COMMAND...: prints the user and system seconds of a command and its children
    bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' _ "$@" 2>"$work/times" || {
        echo "peers.sh: this command fails: $*" >&2
        kill $$
    }
    awk '{ print $1 + $2 }' "$work/times"
}

# The others have no heddle.h.
mkdir "$work/heddle"
printf '#include <assert.h>\n#define heddle_assert assert\n' >"$work/heddle/heddle.h"

genmc_options=
row() { # row PROGRAM SIZE ROUNDS [DEFINITIONS...]
    name=${1##*/} size=$2 times=$3 source=$root/$1.c
    shift 3
    ours=$work/$name theirs=$work/$name-$size
    "$heddle" cc -std=gnu11 -O2 -g "$@" -o "$ours" "$source"
    "$clang" -S -emit-llvm -std=gnu11 -O2 -g -I"$work" -DSIZE="$size" "$@" -o "$theirs.ll" "$source"
    "$nidhugg" -sc -optimal -transform "$theirs.nidhugg.ll" "$theirs.ll" >/dev/null 2>&1
    "$clang" -S -emit-llvm -std=gnu11 -g -DSIZE="$size" -fno-discard-value-names \
        -Xclang -disable-O0-optnone -I"$include" -D__CONFIG_GENMC_INODE_DATA_SIZE=64 -I"$work" \
        "$@" -o "$theirs.genmc.ll" "$source"
    for round in $(seq "$times"); do
        echo "$(cpu "$heddle" run -q --timeout=600 "$ours" "$size")" \
            "$(cpu "$nidhugg" "$theirs.nidhugg.ll" -sc -optimal)" \
            "$(cpu "$genmc" --sc --disable-estimation ${genmc_options:+"$genmc_options"} \
                --input-from-bitcode-file "$theirs.genmc.ll")"
    done | awk -v name="$name($size)" '
        { for (i = 1; i <= 3; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
        END { printf "%-19s %8.3f %8.2f %8.2f %9.1f %9.1f\n", name, least[1], least[3], least[2],
                     least[3] / least[1], least[2] / least[1] }'
}

printf '%-19s %8s %8s %8s %9s %9s\n' program Heddle GenMC Nidhugg '/ GenMC' '/ Nidhugg'
row programs/readers 15 "$rounds"
row programs/nwriters 8 "$rounds"
row programs/lastzero 10 $((4 * rounds))
row programs/lastzero 15 "$rounds"
row programs/filesystem 22 $((4 * rounds))
row programs/indexer 15 "$rounds"
row programs/chase_lev_right 3 "$rounds" -DITEMS=3 -DPOPS=2
row tests/native/awaits/ticket 6 $((4 * rounds))
row tests/native/awaits/ticket 7 "$rounds"
genmc_options=--disable-ipr # it finds no order of the failed exchanges, and takes this for an error
row tests/native/awaits/ttas 4 $((4 * rounds))
row tests/native/awaits/ttas 5 "$rounds"
genmc_options=
row tests/native/awaits/mcs 3 $((4 * rounds))
row tests/native/awaits/mcs 4 "$rounds"
