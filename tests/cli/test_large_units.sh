#!/bin/sh
# The cost of a report depends on its trace, not on the size of the debug information. A test framework that consists
# of headers makes compilation units with a hundred thousand entries. A walk over such a unit for each address of the
# trace would take minutes.
#
# The unit here has 3,000 classes in namespaces, with three functions each. The trace contains 800 of them, and their
# names and lines must be right. One walk over the unit for each of about 2,400 frames would take more than ten
# seconds; a single walk takes a fraction of a second. The limit of 3 s of CPU time is for everything: start, search,
# names, report.
. "$SOURCE/tests/cli/cli.sh"

classes=3000 called=800
awk -v classes=$classes 'BEGIN {
    print "#include <atomic>\n#include <cstdlib>\n#include <thread>\nstatic std::atomic<int> shared;"
    for (i = 0; i < classes; i++) {
        printf "namespace n%d { template <class T> struct Class%d {\n", i % 100, i
        printf "  struct Inner { T a, b, c; T sum() const { T s = a; { T t = b; s += t; } return s + c; } };\n"
        printf "  static T change(T by) { Inner x{by, by, 1}; return x.sum() - by - by; } }; }\n"
    }
}' >large.cpp
awk -v classes=$classes -v called=$called 'BEGIN {
    for (i = 0; i < called; i++)
        printf "namespace n%d { static void touch%d() { shared += Class%d<int>::change(%d); } }\n", i % 100, i, i, i
    print "static int sum() { int s = 0;"
    for (i = called; i < classes; i++)
        printf "  s += n%d::Class%d<int>::change(s);\n", i % 100, i
    print "  return s; }\nstatic void worker() {"
    for (i = 0; i < called; i++)
        printf "  n%d::touch%d();\n", i % 100, i
    print "}\nint main(int argc, char **) {\n  std::thread t(worker);\n  t.join();"
    printf "  if (argc > 1) return sum();\n  if (shared == %d) abort();\n}\n", called
}' >>large.cpp
runs 0 "$HEDDLE" c++ -O0 -o large large.cpp

# seconds_of COMMAND...: prints the CPU time of a command and its children, in hundredths of a second.
seconds_of() {
    bash -c 'TIMEFORMAT="%U %S"; time "$@" >out 2>err; exit 0' sh "$@" 2>times
    awk '{ printf "%d", ($1 + $2) * 100 }' times
}
used=$(seconds_of "$HEDDLE" run --minimise=off --trace=large.trace ./large)
says '^SUMMARY: heddle: assertion failed large.cpp:[0-9]* in main'
[ "$used" -le 300 ] || fail "a report took $used hundredths of a second of CPU"
for i in 0 1 57 799; do # each is one step
    line=$(grep -n "void touch$i()" large.cpp | cut -d: -f1)
    grep -q "^frame	n$((i % 100))::touch$i	$work/large.cpp	$line	" large.trace || fail "touch$i has another name or place"
done
exit $failed
