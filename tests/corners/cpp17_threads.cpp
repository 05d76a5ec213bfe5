/* cpp17_threads.cpp - std::thread, std::async, futures and promises. */
#include "corner.h"
#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

static int data;
static std::atomic<int> flag;

/* expect: verified
 * executions: 1
 * The constructor synchronises with the start of the thread, and the end of the thread with
 * join. */
PROGRAM(thread_object) {
    data = 1;
    std::thread thread([] { data++; });
    thread.join();
    assert(data == 2 && !thread.joinable());
    return 0;
}

/* expect: bug data-race
 * Before join, nothing orders the two threads. */
PROGRAM(thread_object_race) {
    std::thread thread([] { data++; });
    data++;
    thread.join();
    return 0;
}

/* expect: bug assertion
 * The destructor of a joinable thread calls std::terminate. */
PROGRAM(thread_object_not_joined) {
    std::thread thread([] {});
    return 0;
}

/* expect: verified
 * executions: 1
 * A thread object may be moved. The old object is then empty. */
PROGRAM(thread_object_moved) {
    std::thread first([] { data = 4; });
    std::thread second(std::move(first));
    assert(!first.joinable() && second.joinable());
    second.join();
    assert(data == 4);
    return 0;
}

/* expect: bug assertion
 * An assignment to a joinable thread object calls std::terminate. */
PROGRAM(thread_object_assigned_over) {
    std::thread thread([] {});
    thread = std::thread([] {});
    thread.join();
    return 0;
}

/* expect: verified
 * executions: 1
 * join of an empty thread throws std::system_error (invalid_argument). */
PROGRAM(thread_object_empty_join) {
    std::thread thread;
    try {
        thread.join();
    } catch (const std::system_error &error) {
        assert(error.code() == std::errc::invalid_argument);
        return 0;
    }
    return 1;
}

/* expect: bug assertion
 * An exception that leaves the function of a thread calls std::terminate. */
PROGRAM(thread_object_throws) {
    std::thread thread([] { throw std::runtime_error("out"); });
    thread.join();
    return 0;
}

/* expect: verified
 * executions: 1
 * Arguments are copied, unless they are passed by std::ref. */
PROGRAM(thread_object_arguments) {
    int copied = 1, referred = 1;
    std::thread thread(
        [](int &&copy, int &reference) {
            copy = 2;
            reference = 2;
        },
        copied, std::ref(referred));
    thread.join();
    assert(copied == 1 && referred == 2);
    return 0;
}

/* expect: verified
 * A detached thread may still run at the end of the program. */
PROGRAM(thread_object_detached) {
    std::thread([] { flag = 1; }).detach();
    return 0;
}

/* expect: verified
 * executions: 2
 * Two threads in a vector, each with its own element. The shared counter is atomic: two orders. */
PROGRAM(thread_object_vector) {
    std::vector<std::thread> threads;
    int results[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        threads.emplace_back([i, &results] { results[i] = i + 1 + 0 * flag++; });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    assert(results[0] == 1 && results[1] == 2 && flag == 2);
    return 0;
}

/* expect: bug data-race
 * The loop variable is captured by reference. */
PROGRAM(thread_object_captures_the_loop_variable) {
    static int seen[3];
    std::vector<std::thread> threads;
    threads.reserve(2);
    for (int i = 0; i < 2; i++) {
        threads.emplace_back([&i] { seen[i] = 1; });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    return seen[0] + seen[1] + seen[2] > 2;
}

/* expect: verified
 * get waits for the task and returns its result. The writes of the task are visible then. */
PROGRAM(async_result) {
    auto future = std::async(std::launch::async, [] {
        data = 3;
        return 7;
    });
    assert(future.get() == 7 && data == 3 && !future.valid());
    return 0;
}

/* expect: bug data-race
 * Before get, nothing orders the task. */
PROGRAM(async_race) {
    auto future = std::async(std::launch::async, [] { data = 3; });
    data = 4;
    future.get();
    return 0;
}

/* expect: verified
 * The destructor of the last future of std::async waits for the task. */
PROGRAM(async_destructor_waits) {
    {
        auto future = std::async(std::launch::async, [] { data = 3; });
    }
    data = 4;
    return 0;
}

/* expect: verified
 * executions: 1
 * A deferred task runs in the thread that calls get. Without a call of get, it does not run. */
PROGRAM(async_deferred) {
    auto self = std::this_thread::get_id();
    auto future = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    auto never = std::async(std::launch::deferred, [] { abort(); });
    assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    assert(future.get() == self);
    return 0;
}

/* expect: verified
 * get throws the exception of the task. */
PROGRAM(async_exception) {
    auto future = std::async(std::launch::async, []() -> int { throw std::runtime_error("why"); });
    try {
        future.get();
    } catch (const std::runtime_error &error) {
        return strcmp(error.what(), "why") != 0;
    }
    return 1;
}

/* expect: verified
 * set_value synchronises with get. */
PROGRAM(promise_value) {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] {
        data = 5;
        promise.set_value(6);
    });
    assert(future.get() == 6 && data == 5);
    thread.join();
    return 0;
}

/* expect: bug data-race
 * A write after set_value is not ordered before get. */
PROGRAM(promise_written_behind) {
    std::promise<void> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] {
        promise.set_value();
        data = 5;
    });
    future.get();
    data = 6;
    thread.join();
    return 0;
}

/* expect: bug deadlock
 * No thread sets the value of the promise. */
PROGRAM(promise_not_kept) {
    std::promise<int> promise;
    promise.get_future().wait();
    return 0;
}

/* expect: verified
 * executions: 1
 * A promise that is destroyed without a value makes get throw std::future_error with
 * broken_promise. */
PROGRAM(promise_broken) {
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
    }
    try {
        future.get();
    } catch (const std::future_error &error) {
        return error.code() != std::future_errc::broken_promise;
    }
    return 1;
}

/* expect: verified
 * executions: 1
 * A second value throws promise_already_satisfied, and a second future throws
 * future_already_retrieved. */
PROGRAM(promise_misused) {
    std::promise<int> promise;
    auto future = promise.get_future();
    int caught = 0;
    promise.set_value(1);
    try {
        promise.set_value(2);
    } catch (const std::future_error &error) {
        caught += error.code() == std::future_errc::promise_already_satisfied;
    }
    try {
        promise.get_future();
    } catch (const std::future_error &error) {
        caught += error.code() == std::future_errc::future_already_retrieved;
    }
    assert(caught == 2 && future.get() == 1);
    return 0;
}

/* expect: verified
 * Several threads may wait for a shared future, each with its own copy. */
PROGRAM(shared_future) {
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    std::thread first([future] { assert(future.get() == 9); });
    promise.set_value(9);
    assert(future.get() == 9);
    first.join();
    return 0;
}

/* expect: verified
 * wait_for returns ready or timeout. Only after `ready` does get return without waiting. */
PROGRAM(future_wait_for) {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] { promise.set_value(1); });
    auto status = future.wait_for(std::chrono::seconds(1));
    assert(status == std::future_status::ready || status == std::future_status::timeout);
    assert(future.get() == 1);
    thread.join();
    return 0;
}

/* expect: bug assertion
 * wait_for may time out. */
PROGRAM(future_may_time_out) {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] { promise.set_value(1); });
    auto status = future.wait_for(std::chrono::seconds(1));
    thread.join();
    assert(status == std::future_status::ready);
    return 0;
}

/* expect: verified
 * A packaged task runs in the thread that calls it, and its future receives the result. */
PROGRAM(packaged_task) {
    std::packaged_task<int(int)> task([](int number) { return number * 2; });
    auto future = task.get_future();
    std::thread thread(std::move(task), 21);
    assert(future.get() == 42);
    thread.join();
    return 0;
}

/* expect: bug deadlock
 * Two threads wait for each other's promise. */
PROGRAM(promises_in_a_circle) {
    std::promise<void> one, two;
    std::thread thread([&] {
        one.get_future().wait();
        two.set_value();
    });
    two.get_future().wait();
    one.set_value();
    thread.join();
    return 0;
}

/* expect: verified
 * The value is available when the thread has ended and its thread-local objects are destroyed. */
PROGRAM(promise_at_thread_exit) {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] {
        promise.set_value_at_thread_exit(8);
        data = 1;
    });
    assert(future.get() == 8 && data == 1);
    thread.join();
    return 0;
}
