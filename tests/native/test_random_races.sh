#!/bin/sh
# The two ways to find data races, by states and by happens-before, must agree on random programs.
# tests/long/random_races.sh has more of them.
set -u
. "$SOURCE/tests/native/random_races.sh"
compare_races 1 100
finish
