#!/bin/sh
# Runs tests/judge/test_judge.sh for 20,000 programs.
PROGRAMS=20000 FIRST=100000 exec sh "$SOURCE/tests/judge/test_judge.sh"
