#!/bin/sh
# The same as tests/native/test_random_races.sh, with 1,000 programs.
set -u
. "$SOURCE/tests/native/random_races.sh"
compare_races 1 1000
finish
