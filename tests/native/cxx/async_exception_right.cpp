/* async_exception_right.cpp - a task of std::async throws, and std::shared_future gives the
 * exception to two threads.
 * expect: verified */
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
    std::shared_future<int> future =
        std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    auto look = [future] {
        try {
            future.get();
            assert(false);
        } catch (const std::runtime_error &caught) {
            assert(caught.what()[0] == 'n');
        }
    };
    std::thread other(look);
    look();
    other.join();
}
