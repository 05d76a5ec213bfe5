// Two threads count atomically: right in every order.
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

static std::atomic<int> count;

int main() {
    std::thread first([] { count++; }), second([] { count++; });
    first.join();
    second.join();
    heddle_assert(count == 2);
}
