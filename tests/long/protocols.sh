#!/bin/sh
# All sizes that the protocols' headers name, by all explorers: each is verified within five minutes on one
# core, with as many states whoever explores it.
EXPLORERS="rtc rr prr random" SIZES=all TIME=300s exec "$SOURCE/tests/protocols/test_protocols.sh"
