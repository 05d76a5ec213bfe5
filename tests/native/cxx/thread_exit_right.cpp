/* thread_exit_right.cpp - a promise and a packaged task become ready when their thread has ended.
 * What the thread wrote before, also in the destructor of a thread_local object, happens before
 * everything after the wait.
 * expect: verified */
#include <cassert>
#include <future>
#include <thread>

static int late;

struct at_end {
    ~at_end() {
        late = 2;
    }
    int used = 0;
};

static thread_local at_end last;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    int before = 0;
    std::thread setter([&] {
        last.used = 1;
        before = 1;
        promise.set_value_at_thread_exit(3);
    });
    assert(future.get() == 3 && before == 1 && late == 2);
    setter.join();
    std::packaged_task<int(int)> task([](int value) { return value + 1; });
    std::future<int> result = task.get_future();
    std::thread worker([&] { task.make_ready_at_thread_exit(4); });
    assert(result.get() == 5);
    worker.join();
}
