#!/bin/sh
# Runs tests/native/test_random_machines.sh for many more and larger programs.
PROGRAMS=3000 FIRST=1000 EXECUTIONS=20000 STATES_MAX=20000 exec sh "$SOURCE/tests/native/test_random_machines.sh"
