#!/bin/sh
# Random programs, judged by a model that was written from the documents (state.h): Heddle's verdict, its kinds
# of findings and the set of outcomes that it reaches are the model's. Compiled by gcc and clang, at -O0 and -O2:
# `optimal` explores all four, `ses` and another strategy one of them. PROGRAMS and FIRST say how many, and from
# which seed on; a program alone is shown with its differences. At the end, a judge that never complains is found out.
set -u
unset HEDDLE_CC
. "$SOURCE/tests/programs/programs.sh"
here=$SOURCE/tests/judge
programs=${PROGRAMS:-300}
first=${FIRST:-1}
chunk=500 # programs in a C file
WORK=$work
export WORK

cc -std=gnu11 -O2 -o "$work/judge" "$here"/*.c || exit 1

# The programs from seed $1 on, $2 of them, in each variant; sets $variants.
compile() {
    variants=
    "$work/judge" emit "$1" "$2" >"$work/programs.c" || exit 1
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        for level in O0 O2; do
            variant=$work/programs-$compiler-$level
            HEDDLE_CC=$compiler "$HEDDLE" cc -$level -I"$here" -o "$variant" "$work/programs.c" || exit 1
            variants="$variants $variant"
        done
    done
}

agrees() { # first, count
    compile "$1" "$2"
    # shellcheck disable=SC2086
    "$work/judge" check --strategies=optimal,ses --without="${WITHOUT:-}" \
        --in-turn=source,dfs,observers,persistent,classic,preemption-bounding,depth-bounding \
        "$1" "$2" $variants >"$work/out"
    status=$?
    cat "$work/out"
    checked=$((checked + $2))
    [ $status -eq 0 ] || fail "seeds $1 to $(($1 + $2 - 1))"
    [ "$2" -gt 1 ] || "$work/judge" show "$1"
}

seed=$first
while [ "$seed" -lt $((first + programs)) ]; do
    left=$((first + programs - seed))
    agrees "$seed" $((left < chunk ? left : chunk))
    seed=$((seed + chunk))
done

# What must be noticed: a tool that says nothing, one that says "verified" whatever the program, one that
# explores a single execution, and a model that forgets steps.
notices() { # what, judge's options...
    what=$1
    shift
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    if "$work/judge" check "$@" "$first" 20 ${variants##* } >"$work/out"; then
        fail "$what was not noticed: $(cat "$work/out")"
    fi
    grep -q '^DIFFERENCE' "$work/out" || fail "$what: $(cat "$work/out")"
}

if [ "$programs" -ge 20 ]; then
    cat >"$work/liar" <<'END'
#!/bin/sh
for word; do
    case $word in --json=*) printf '{\n  "verdict": "verified",\n  "complete": true,\n  "executions": 0\n}\n' >"${word#--json=}" ;; esac
done
END
    chmod +x "$work/liar"
    variants=${variants##* }
    [ "$programs" -le $chunk ] || compile "$first" 20
    notices "a model that forgets steps" --sloppy=5
    notices "a single execution" --strategies=random --option=--max-executions=1
    honest=$HEDDLE
    HEDDLE=/bin/true
    export HEDDLE
    notices "a tool that says nothing"
    HEDDLE=$work/liar
    notices "a tool that says verified"
    HEDDLE=$honest
fi
finish
