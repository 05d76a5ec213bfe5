/* cpp17_mixtures.cpp - C++ objects with the ends of POSIX threads, and less usual members of the thread library. */
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
 * In glibc pthread_exit unwinds the stack: objects are destroyed, and guards unlock. */
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
 * The unwinding must not be caught for good: glibc aborts ("exception not rethrown"). */
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
 * Cancelled in a wait, the objects of the thread are destroyed, and the mutex is unlocked, or it never was locked. */
PROGRAM(cancellation_unwinds) {
    pthread_t thread = spawn(cancelled_under_guard, nullptr);
    pthread_cancel(thread);
    assert(join(thread) == PTHREAD_CANCELED);
    std::lock_guard<std::mutex> guard(mutex);
    assert(destroyed == 1);
    return 0;
}

/* expect: bug deadlock
 * condition_variable_any unlocks a recursive mutex once, and it is held twice. */
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
 * A recursive timed mutex counts, whichever way it was locked. */
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
 * Two that read and want to write: each waits for the other to stop reading. */
PROGRAM(shared_mutex_upgrade) {
    auto body = [] {
        shared.lock_shared();
        shared.lock();
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * Exactly one of two threads keeps a promise, the other is told. */
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
 * sleep_for moves the thread's clock by at least that much. */
PROGRAM(sleep_and_clock) {
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    std::this_thread::sleep_until(before + std::chrono::seconds(2));
    std::this_thread::yield();
    assert(std::chrono::steady_clock::now() - before >= std::chrono::seconds(2));
    return 0;
}

/* expect: bug assertion
 * Sleeping is no synchronisation: the thread that sleeps less may be the later one. */
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
 * Two accounts that give to each other. */
PROGRAM(accounts_locked_in_turn) {
    Account one(10), two(10);
    together([&] { one.give(two, 1); }, [&] { two.give(one, 2); });
    return 0;
}

/* expect: verified
 * executions: 2
 * Locked in the order of their addresses. */
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
 * A thread that the constructor of the base starts calls a virtual function while the derived constructor sets the
 * pointer to the table of functions. */
PROGRAM(virtual_call_during_construction) {
    Derived object;
    __asm__ volatile("" : : "r"(&object) : "memory"); /* so that no store is left out */
    return 0;
}

struct Node : std::enable_shared_from_this<Node> {
    int value = 3;
    std::thread start() {
        return std::thread([self = shared_from_this()] { assert(self->value == 3); });
    }
};

/* expect: verified
 * The thread keeps its object alive. */
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
 * With `this` only it does not. */
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
 * The notification of a thread's end comes behind its thread-local objects, with the mutex unlocked by then. */
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
 * A lambda that captured a local variable by reference, whose function has gone on. */
PROGRAM(captured_by_reference) {
    int local = 0;
    std::thread thread([&local] { local++; });
    local++;
    thread.join();
    return local > 2;
}

/* expect: verified
 * executions: 1
 * hardware_concurrency may be anything, and identities compare. */
PROGRAM(identities) {
    std::thread::id mine = std::this_thread::get_id(), none;
    std::thread thread([mine] { assert(std::this_thread::get_id() != mine); });
    assert(thread.get_id() != none && thread.get_id() != mine);
    thread.join();
    assert(thread.get_id() == none);
    return std::thread::hardware_concurrency() > 100000;
}
