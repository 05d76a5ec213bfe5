/* cxx_unjoined_wrong.cpp - an exception passes a std::thread that has not been joined.
 *
 * The destructor of a thread that could be joined ends the program by std::terminate().
 *
 * expect: bug assertion
 * executions: 3
 *
 * The thread stores before main looks; or after it, before the program ends; or not at all. */
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
        /* no server, no harm */
    }
    return 0;
}
