/* cxx_unjoined_wrong.cpp - an exception leaves a scope with a std::thread that has not been joined.
 *
 * The destructor of such a std::thread ends the program by std::terminate().
 *
 * expect: bug assertion
 * executions: 3
 *
 * The thread stores before main looks; or after main looks, before the program ends; or not at
 * all. */
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> ready;

static void serve() {
    ready = true;
}

static void run() {
    std::thread thread(serve);
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
