#!/bin/sh
# peers.sh - compares Heddle with other checkers, in turns, on this machine. The table shows the CPU seconds of the
# whole command, the least of ROUNDS runs (5; four times as many for short runs), and how many times as much each of
# the others takes. The others get compiled programs, in the form that suits them best: -O2 for Nidhugg, -O0 for
# GenMC, as GenMC does it itself. Both must be installed, with the clang of their LLVM. The headers of GenMC must be
# beside it, or at GENMC_INCLUDE:
#
#   NIDHUGG=.../nidhugg GENMC=.../genmc CLANG=clang-14 sh bench/peers.sh
. "$(dirname "$0")/common/measure.sh"
programs=$(cd "$(dirname "$0")/../programs" && pwd)
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

row() { # row PROGRAM SIZE ROUNDS
    ours=$work/$1 theirs=$work/$1-$2
    "$heddle" cc -std=gnu11 -O2 -g -o "$ours" "$programs/$1.c"
    "$clang" -S -emit-llvm -std=gnu11 -O2 -g -DSIZE="$2" -o "$theirs.ll" "$programs/$1.c"
    "$nidhugg" -sc -optimal -transform "$theirs.nidhugg.ll" "$theirs.ll" >/dev/null 2>&1
    "$clang" -S -emit-llvm -std=gnu11 -g -DSIZE="$2" -fno-discard-value-names \
        -Xclang -disable-O0-optnone -I"$include" -D__CONFIG_GENMC_INODE_DATA_SIZE=64 \
        -o "$theirs.genmc.ll" "$programs/$1.c"
    for round in $(seq "$3"); do
        echo "$(cpu "$heddle" run -q --timeout=600 "$ours" "$2")" \
            "$(cpu "$nidhugg" "$theirs.nidhugg.ll" -sc -optimal)" \
            "$(cpu "$genmc" --sc --disable-estimation --input-from-bitcode-file "$theirs.genmc.ll")"
    done | awk -v name="$1($2)" '
        { for (i = 1; i <= 3; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
        END { printf "%-16s %8.3f %8.2f %8.2f %9.1f %9.1f\n", name, least[1], least[3], least[2],
                     least[3] / least[1], least[2] / least[1] }'
}

printf '%-16s %8s %8s %8s %9s %9s\n' program Heddle GenMC Nidhugg '/ GenMC' '/ Nidhugg'
row readers 15 "$rounds"
row lastzero 10 $((4 * rounds))
row lastzero 15 "$rounds"
row filesystem 22 $((4 * rounds))
