/* library_locks_right.cpp - instrumented code relies on locks inside libstdc++.so: those of the
 * atomic functions for std::shared_ptr, of the notification at the end of a thread, of
 * std::call_once, of a static variable, and of a pool of memory.
 * expect: verified */
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <thread>
#include <vector>

static int *only() {
    static int *once = new int(5);
    return once;
}

static void pointers() {
    std::shared_ptr<int> shared;
    std::thread other([&] { std::atomic_store(&shared, std::make_shared<int>(1)); });
    std::shared_ptr<int> seen = std::atomic_load(&shared);
    assert(!seen || *seen == 1);
    other.join();
}

static void notification() {
    std::mutex mutex;
    std::condition_variable ready;
    int value = 0;
    std::thread other([&] {
        std::unique_lock<std::mutex> lock(mutex);
        value = 1;
        std::notify_all_at_thread_exit(ready, std::move(lock));
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        ready.wait(lock, [&] { return value == 1; });
    }
    other.join();
}

static void once() {
    std::once_flag flag;
    int value = 0;
    auto call = [&] {
        std::call_once(flag, [&] { value = *only(); });
        assert(value == 5);
    };
    std::thread other(call);
    call();
    other.join();
}

static void pool() {
    std::pmr::synchronized_pool_resource resource;
    auto use = [&] {
        std::pmr::vector<int> numbers(&resource);
        numbers.push_back(1);
        numbers.push_back(2);
        assert(numbers[1] == 2);
    };
    std::thread other(use);
    use();
    other.join();
}

/* Each execution tests one of them, so that their orders do not multiply. */
int main() {
    void (*const parts[])() = {pointers, notification, once, pool};
    parts[heddle_choose(4)]();
}
