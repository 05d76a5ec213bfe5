#!/bin/sh
# test_words.sh - findings explain cases in which a reader would otherwise have to guess: memory that is freed while
# other tasks still use it, an exception that is not caught, and code that belongs to more than one line.
. "$SOURCE/tests/cli/cli.sh"

# A reference count that other tasks may still read when the last one frees it.
cat >buffer.cpp <<'END_CPP'
#include <atomic>
#include <thread>
struct buffer {
    std::atomic<int> references{2};
    void release() {
        references--;
        if (references == 0)
            delete this;
    }
};
int main() {
    buffer *shared = new buffer;
    std::thread other([shared] { shared->release(); });
    shared->release();
    other.join();
}
END_CPP
runs 0 "$HEDDLE" c++ -g -o buffer buffer.cpp
runs 1 "$HEDDLE" run ./buffer
says 'free of 4 bytes'
says '^ *free of 4 bytes by T1 '
says 'previous atomic read of 4 bytes by T0 (main) at:'
says_not 'write of 4 bytes'
runs 1 "$HEDDLE" replay buffer.trace
says 'data race: free of 4 bytes'

# Exceptions: one of a class, one that is not of a class, one that is handled when the program gives up; and abort()
# without any.
cat >throws.cpp <<'END_CPP'
#include <cstdlib>
#include <stdexcept>
#include <thread>
namespace storage {
struct full : std::runtime_error {
    using runtime_error::runtime_error;
};
}
int main(int argc, char **argv) {
    std::thread thread([argc, argv] {
        if (argc < 2)
            abort();
        switch (argv[1][0]) {
        case 'c': throw storage::full("no space is left");
        case 'n': throw "no space is left";
        }
        try {
            throw 28;
        } catch (int) {
            abort();
        }
    });
    thread.join();
}
END_CPP
runs 0 "$HEDDLE" c++ -g -o throws throws.cpp
while read -r argument type; do
    runs 1 "$HEDDLE" run --json=a.json ./throws "$argument"
    says "\"message\": \"abort() was called while handling an exception: $type\"" a.json
done <<'END_CASES'
class storage::full
none char const\*
given int
END_CASES
runs 1 "$HEDDLE" run --json=a.json ./throws
says '"message": "abort() was called"' a.json
runs 1 "$HEDDLE" run ./throws class
runs 1 "$HEDDLE" replay throws.trace
says 'no space is left' err

# clang merges the assertions of two calls into one, which then has the line of neither.
cat >merged.c <<'END_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int taken[2];
static void take(int number) {
    assert(atomic_exchange(&taken[number], 1) == 0);
}
static void *check(void *value) {
    take(1);
    take(0);
    return value;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, check, NULL);
    take(0);
    return pthread_join(thread, NULL);
}
END_C
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    HEDDLE_CC=$compiler runs 0 "$HEDDLE" cc -g -O2 -o merged merged.c
    runs 1 "$HEDDLE" run --keep-going ./merged
    says '#[0-2] check merged.c:[1-9]'
    says_not 'merged.c:0'
done
exit $failed
