#!/bin/sh
# Random programs, judged by a model that was written from the documents (state.h): Heddle's
# verdict, the kinds of its findings and the set of outcomes that it reaches must be those of the
# model. The programs are compiled by gcc and clang, at -O0 and -O2. `optimal` explores all four
# variants, `ses` and another strategy explore one of them. PROGRAMS is the number of programs,
# FIRST is the first seed. A single program is printed. WITHOUT names instructions, and programs
# that have one are left out. At the end, the judge itself is tested: it must notice deliberate
# errors.
set -u
unset HEDDLE_CC
. "$SOURCE/tests/programs/programs.sh"
here=$SOURCE/tests/judge
programs=${PROGRAMS:-300}
first=${FIRST:-1}
chunk=100 # programs in a C file: reading the symbols of a larger one takes longer than the search
WORK=$work
export WORK

cc -std=gnu11 -O2 -o "$work/judge" "$here"/*.c || exit 1

# Compiles $work/programs.c, and adds the result to $variants.
compile() { # compiler, level
    variant=$work/programs-$1-$2
    HEDDLE_CC=$1 "$HEDDLE" cc "-$2" -I"$here" -o "$variant" "$work/programs.c" || exit 1
    variants="$variants $variant"
}

agrees() { # first, count, judge's options...
    from=$1 count=$2
    shift 2
    variants=
    "$work/judge" emit "$from" "$count" >"$work/programs.c" || exit 1
    for compiler in gcc clang; do
        if command -v $compiler >/dev/null; then
            compile $compiler O0
            compile $compiler O2
        fi
    done
    checked=$((checked + count))
    # shellcheck disable=SC2086
    "$work/judge" check --strategies=optimal,ses --without="${WITHOUT:-}" \
        --in-turn=source,dfs,observers,persistent,classic,preemption-bounding,depth-bounding \
        "$@" "$from" "$count" $variants || fail "seeds $from to $((from + count - 1)) $*"
    [ "$count" -gt 1 ] || "$work/judge" show "$from"
    rm -f "$work"/*.trace
}

seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    left=$((first + programs - seed))
    agrees "$seed" $((left < chunk ? left : chunk))
    seed=$((seed + chunk))
done
agrees "$first" $((programs < 40 ? programs : 40)) --sequences=c++20 --option=--release-sequences=c++20

notices() { # what, judge's options...
    what=$1
    shift
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    if "$work/judge" check "$@" 1 20 $variants >"$work/out"; then
        fail "$what was not noticed: $(cat "$work/out")"
    fi
    grep -q '^DIFFERENCE: seed' "$work/out" || fail "$what: $(cat "$work/out")"
}

variants=
"$work/judge" emit 1 20 >"$work/programs.c" || exit 1
compile cc O0
notices "a model that forgets steps" --sloppy=5
notices "a single execution" --strategies=random --option=--max-executions=1
HEDDLE=/bin/true
export HEDDLE
notices "a tool that says nothing"
cat >"$work/liar" <<'END'
#!/bin/sh
for word; do
    case $word in
    --json=*) printf '{\n  "verdict": "verified",\n  "complete": true,\n  "executions": 0\n}\n' >"${word#--json=}" ;;
    esac
done
END
chmod +x "$work/liar"
HEDDLE=$work/liar
notices "a tool that says verified"
finish
