/* cxx_unjoined_right.cpp - an exception leaves a scope with a std::jthread, whose destructor joins.
 *
 * expect: verified */
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> ready;

static void serve() {
    ready = true;
}

static void run() {
    std::jthread thread(serve);
    if (!ready)
        throw std::runtime_error("server is not ready");
    thread.join();
}

int main() {
    try {
        run();
    } catch (const std::runtime_error &) {
        /* nothing to do: a missing server is no error */
    }
    return 0;
}
