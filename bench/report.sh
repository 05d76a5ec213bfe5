#!/bin/sh
# report.sh - the cost of a report after a bug is found: the CPU seconds of `heddle run` without those of the tested
# program, for a trace of about 4,000 steps, in a Catch2 test (a compilation unit with 200,000 entries of debug
# information) and in a gtest test. The limit is 1 s. A framework that is not installed (catch2, libgtest-dev) has no
# row.
. "$(dirname "$0")/common/measure.sh"

cat >"$work/body" <<'END'
#include <mutex>
#include <thread>
static std::mutex m;
static int counter;
static void worker() {
    for (int i = 0; i < 400; i++) {
        std::lock_guard<std::mutex> guard(m);
        counter++;
    }
}
static int add() {
    std::thread a(worker), b(worker);
    a.join();
    b.join();
    return counter;
}
END
{ printf '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n'; cat "$work/body"
  echo 'TEST_CASE("adds") { REQUIRE(add() == 799); }'; } >"$work/catch2.cpp"
{ printf '#include <gtest/gtest.h>\n'; cat "$work/body"
  echo 'TEST(Counter, Adds) { ASSERT_EQ(add(), 799); }'; } >"$work/gtest.cpp"

# The CPU seconds of the tool itself, without those of the tested program.
report_once() {
    bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1; exit 0' sh "$heddle" run --minimise=off \
        --json="$work/out.json" --trace="$work/found.trace" "$1" 2>"$work/times"
    awk -v program="$(field cpu_seconds)" '{ s = $1 + $2 - program; printf "%.2f\n", (s > 0 ? s : 0) }' "$work/times"
}

printf '%-8s %-8s %7s %9s\n' program compiler steps 'CPU in s'
for name in catch2 gtest; do
    for compiler in g++ clang++; do
        libraries=
        [ $name = catch2 ] || libraries='-lgtest -lgtest_main'
        HEDDLE_CXX=$compiler "$heddle" c++ -O1 -o "$work/$name" "$work/$name.cpp" $libraries 2>/dev/null || continue
        least report_once "$work/$name"
        printf '%-8s %-8s %7s %9s\n' $name $compiler "$(grep -c '^event' "$work/found.trace")" "$seconds"
    done
done
