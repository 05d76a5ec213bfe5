#!/bin/sh
# The same as tests/native/test_random_loops.sh, with 2,000 programs.
PROGRAMS=2000 FIRST=1000 exec sh "$SOURCE/tests/native/test_random_loops.sh"
