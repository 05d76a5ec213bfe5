#!/bin/sh
# Runs tests/corners/test_corners.sh with both compilers at -O0 and -O2, with a replay of each
# finding, and with the other strategies.
VARIANTS=all REPLAY=1 STRATEGIES=1 exec sh "$SOURCE/tests/corners/test_corners.sh"
