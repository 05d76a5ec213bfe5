/* cpp17_mixtures.cpp - C++ objects in threads that end by POSIX functions, and less usual members
 * of the thread library. */
#include "corner.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static std::recursive_mutex recursive;
static std::recursive_timed_mutex recursive_timed;
static std::shared_mutex shared;
static std::condition_variable condition;
static std::condition_variable_any any;
static int data, destroyed;
static bool ready;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

struct Counted {
    ~Counted() {
        destroyed++;
    }
};

THREAD(exit_under_guard) {
    Counted object;
    std::lock_guard<std::mutex> guard(mutex);
    pthread_exit(&data);
}

/* expect: verified
 * executions: 1
 * In glibc, pthread_exit unwinds the stack: objects are destroyed, and guards unlock. */
PROGRAM(pthread_exit_unwinds) {
    assert(join(spawn(exit_under_guard, nullptr)) == &data);
    assert(destroyed == 1 && mutex.try_lock());
    mutex.unlock();
    return 0;
}

THREAD(swallow_everything) {
    try {
        pthread_exit(nullptr);
    } catch (...) {
    }
    return nullptr;
}

/* expect: bug assertion
 * A handler must not stop the unwinding: glibc aborts ("exception not rethrown"). */
PROGRAM(pthread_exit_swallowed) {
    join(spawn(swallow_everything, nullptr));
    return 0;
}

THREAD(cancelled_under_guard) {
    Counted object;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        condition.wait(lock);
    }
    return nullptr;
}

/* expect: verified
 * If a thread is cancelled in a wait, its objects are destroyed. The mutex is unlocked, or was
 * never locked. */
PROGRAM(cancellation_unwinds) {
    pthread_t thread = spawn(cancelled_under_guard, nullptr);
    pthread_cancel(thread);
    assert(join(thread) == PTHREAD_CANCELED);
    std::lock_guard<std::mutex> guard(mutex);
    assert(destroyed == 1);
    return 0;
}

/* expect: bug deadlock
 * condition_variable_any unlocks a recursive mutex once, but the thread holds it twice. */
PROGRAM(condition_any_with_a_recursive_mutex) {
    together(
        [] {
            std::unique_lock<std::recursive_mutex> outer(recursive);
            std::unique_lock<std::recursive_mutex> lock(recursive);
            any.wait(lock, [] { return ready; });
        },
        [] {
            std::lock_guard<std::recursive_mutex> guard(recursive);
            ready = true;
            any.notify_one();
        });
    return 0;
}

/* expect: verified
 * executions: 1
 * A recursive timed mutex counts its locks, no matter by which function they were taken. */
PROGRAM(recursive_timed_mutex) {
    recursive_timed.lock();
    assert(recursive_timed.try_lock());
    assert(recursive_timed.try_lock_for(std::chrono::seconds(1)));
    std::thread([] { assert(!recursive_timed.try_lock()); }).join();
    recursive_timed.unlock();
    recursive_timed.unlock();
    recursive_timed.unlock();
    return 0;
}

/* expect: bug deadlock
 * Two threads read and want to write. Each waits for the other to stop reading. */
PROGRAM(shared_mutex_upgrade) {
    auto body = [] {
        shared.lock_shared();
        shared.lock();
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * Exactly one of two threads sets the value of a promise, and the other gets an exception. */
PROGRAM(promise_kept_by_one_of_two) {
    static std::atomic<int> refused;
    std::promise<int> promise;
    auto future = promise.get_future();
    auto body = [&promise] {
        try {
            promise.set_value(1);
        } catch (const std::future_error &) {
            refused++;
        }
    };
    together(body, body);
    assert(future.get() == 1 && refused == 1);
    return 0;
}

/* expect: verified
 * sleep_for moves the thread's clock by at least its duration. */
PROGRAM(sleep_and_clock) {
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    std::this_thread::sleep_until(before + std::chrono::seconds(2));
    std::this_thread::yield();
    assert(std::chrono::steady_clock::now() - before >= std::chrono::seconds(2));
    return 0;
}

/* expect: bug assertion
 * Sleeping does not synchronise: the thread with the shorter sleep may be the later one. */
PROGRAM(sleep_is_no_order) {
    static std::atomic<int> last;
    together(
        [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            last = 1;
        },
        [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(900));
            last = 2;
        });
    assert(last == 2);
    return 0;
}

class Account {
  public:
    explicit Account(int start) : money(start) {
    }
    void give(Account &to, int amount) {
        std::lock_guard<std::mutex> mine(lock);
        std::lock_guard<std::mutex> yours(to.lock);
        money -= amount;
        to.money += amount;
    }
    int money;
    std::mutex lock;
};

/* expect: bug deadlock
 * Two accounts transfer to each other, and each locks its own mutex first. */
PROGRAM(accounts_locked_in_turn) {
    Account one(10), two(10);
    together([&] { one.give(two, 1); }, [&] { two.give(one, 2); });
    return 0;
}

/* expect: verified
 * executions: 2
 * The mutexes are locked in the order of their addresses: two orders. */
PROGRAM(accounts_locked_in_order) {
    Account one(10), two(10);
    auto give = [](Account &from, Account &to, int amount) {
        std::mutex *first = std::min(&from.lock, &to.lock, std::less<>());
        std::mutex *second = std::max(&from.lock, &to.lock, std::less<>());
        std::lock_guard<std::mutex> one_guard(*first);
        std::lock_guard<std::mutex> two_guard(*second);
        from.money -= amount;
        to.money += amount;
    };
    together([&] { give(one, two, 1); }, [&] { give(two, one, 2); });
    assert(one.money == 11 && two.money == 9);
    return 0;
}

class Base {
  public:
    Base() : thread([this] { run(); }) {
    }
    virtual ~Base() {
        thread.join();
    }
    virtual void run() {
    }

  private:
    std::thread thread;
};

class Derived : public Base {
  public:
    void run() override {
        data = 1;
    }
};

/* expect: bug data-race
 * The constructor of the base class starts a thread that calls a virtual function. Meanwhile the
 * constructor of the derived class sets the pointer to its table of functions. */
PROGRAM(virtual_call_during_construction) {
    Derived object;
    __asm__ volatile(""
                     :
                     : "r"(&object)
                     : "memory"); /* keeps the compiler from leaving out stores */
    return 0;
}

struct Node : std::enable_shared_from_this<Node> {
    int value = 3;
    std::thread start() {
        return std::thread([self = shared_from_this()] { assert(self->value == 3); });
    }
};

/* expect: verified
 * The thread holds a shared_ptr, which keeps its object alive. */
PROGRAM(thread_owns_its_object) {
    auto node = std::make_shared<Node>();
    std::thread thread = node->start();
    node.reset();
    thread.join();
    return 0;
}

struct Careless {
    int value = 3;
    std::thread start() {
        return std::thread([this] {
            std::lock_guard<std::mutex> guard(mutex);
            assert(value == 3);
        });
    }
};

/* expect: bug heap-misuse
 * The thread holds only `this`, which does not keep its object alive. */
PROGRAM(thread_does_not_own_its_object) {
    auto object = std::make_unique<Careless>();
    std::thread thread = object->start();
    {
        std::lock_guard<std::mutex> guard(mutex);
        object.reset();
    }
    thread.join();
    return 0;
}

/* expect: verified
 * The notification comes after the thread's thread-local objects are destroyed, with the mutex
 * unlocked. */
PROGRAM(notify_at_thread_exit) {
    std::thread thread([] {
        std::unique_lock<std::mutex> lock(mutex);
        ready = true;
        std::notify_all_at_thread_exit(condition, std::move(lock));
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return ready; });
    }
    thread.join();
    return 0;
}

/* expect: bug data-race
 * A lambda captures a local variable by reference, and the creating function goes on using it. */
PROGRAM(captured_by_reference) {
    int local = 0;
    std::thread thread([&local] { local++; });
    local++;
    thread.join();
    return local > 2;
}

/* expect: verified
 * executions: 1
 * hardware_concurrency may return any number, and identities can be compared. */
PROGRAM(identities) {
    std::thread::id mine = std::this_thread::get_id(), none;
    std::thread thread([mine] { assert(std::this_thread::get_id() != mine); });
    assert(thread.get_id() != none && thread.get_id() != mine);
    thread.join();
    assert(thread.get_id() == none);
    return std::thread::hardware_concurrency() > 100000;
}
