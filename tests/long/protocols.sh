#!/bin/sh
# Checks all sizes that the head comments of the protocols name, with all explorers. Each size must
# be verified within five minutes on one core, and every explorer must find the same number of
# states.
EXPLORERS="rtc rr prr random" SIZES=all TIME=300s exec "$SOURCE/tests/protocols/test_protocols.sh"
