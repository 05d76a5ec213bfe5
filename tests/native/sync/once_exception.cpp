/* std::call_once, and a static variable of a function. If an exception leaves them, neither is
 * done, and exactly one later caller does it.
 * expect: verified */
#include <heddle/heddle.h>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag flag;
static int calls, constructions;

struct thing {
    int value;
    thing() {
        if (++constructions == 1)
            throw std::runtime_error("not yet");
        value = 42;
    }
};

static int get() {
    static thing it;
    return it.value;
}

static void worker() {
    try {
        std::call_once(flag, [] {
            if (++calls == 1)
                throw 1;
        });
    } catch (int) {
    }
    try {
        heddle_assert(get() == 42);
    } catch (const std::runtime_error &) {
    }
}

int main() {
    std::thread thread(worker);
    worker();
    thread.join();
    worker();
    heddle_assert(calls == 2 && constructions == 2 && get() == 42);
    return 0;
}
