/* cxx_unjoined_right.cpp - an exception passes a std::jthread, which joins on its way out.
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
        /* no server, no harm */
    }
    return 0;
}
