/* cpp17_objects.cpp - static and thread_local objects, call_once, shared_ptr and exceptions. */
#include "corner.h"
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

static int data, constructed, destroyed;
static std::atomic<int> count;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

struct Counted {
    int value = 5;
    Counted() {
        constructed++;
    }
    ~Counted() {
        destroyed++;
    }
};

static Counted &single() {
    static Counted object;
    return object;
}

/* expect: verified
 * A static variable of a function is constructed once, before any thread can use it
 * ([stmt.dcl]). */
PROGRAM(static_made_once) {
    auto body = [] { assert(single().value == 5); };
    together(body, body);
    assert(constructed == 1);
    return 0;
}

/* expect: bug data-race
 * The construction of the static variable is ordered, but later uses of it are not. */
PROGRAM(static_used_by_two) {
    auto body = [] { single().value++; };
    together(body, body);
    return 0;
}

static int attempts;

struct Fails {
    Fails() {
        if (++attempts == 1) {
            throw std::runtime_error("first");
        }
    }
};

static void try_static() {
    try {
        static Fails object;
    } catch (const std::runtime_error &) {
        count++;
    }
}

/* expect: verified
 * If the constructor throws, the variable stays unconstructed, and the next thread tries again. */
PROGRAM(static_that_throws) {
    together(try_static, try_static);
    assert(attempts == 2 && count == 1);
    return 0;
}

static void static_a();

struct NeedsB {
    NeedsB();
};
struct NeedsA {
    NeedsA() {
        static_a();
    }
};

static void static_a() {
    static NeedsB object;
}

static void static_b() {
    static NeedsA object;
}

NeedsB::NeedsB() {
    if (count++ == 0) {
        static_b();
    }
}

/* expect: bug deadlock
 * The constructors of two static variables need each other. From two threads, each waits for the
 * other. */
PROGRAM(static_opposite_order) {
    together(static_a, static_b);
    return 0;
}

static thread_local Counted own;

/* expect: verified
 * executions: 1
 * A thread_local object is constructed at its first use in each thread, and destroyed at the end
 * of the thread. */
PROGRAM(thread_local_object) {
    std::thread([] { own.value++; }).join();
    assert(constructed == 1 && destroyed == 1);
    std::thread([] {}).join();
    assert(constructed == destroyed);
    assert(own.value == 5);
    return 0;
}

struct WritesAtEnd {
    ~WritesAtEnd() {
        data++;
    }
    int used = 0;
};
static thread_local WritesAtEnd writes;

/* expect: bug data-race
 * The destructors of two threads run at the same time. */
PROGRAM(thread_local_destructors_race) {
    auto body = [] { writes.used = 1; };
    together(body, body);
    return 0;
}

/* expect: verified
 * executions: 1
 * The destructor runs before join returns. */
PROGRAM(thread_local_destructor_before_join) {
    std::thread([] { writes.used = 1; }).join();
    assert(data == 1);
    return 0;
}

static std::once_flag once;

/* expect: verified
 * call_once: one thread runs the function, and all see its writes. */
PROGRAM(call_once_right) {
    auto body = [] {
        std::call_once(once, [] { data = 7; });
        assert(data == 7);
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * An exception leaves the flag unset, so another caller runs the function again. */
PROGRAM(call_once_that_throws) {
    auto body = [] {
        try {
            std::call_once(once, [] {
                if (++attempts == 1) {
                    throw 1;
                }
                data = 3;
            });
        } catch (int) {
            count++;
        }
    };
    together(body, body);
    assert(attempts == 2 && count == 1 && data == 3);
    return 0;
}

/* expect: verified
 * Copies of a shared_ptr share an atomic count. The last owner destroys the object, after all
 * uses by the others. */
PROGRAM(shared_ptr_copies) {
    auto pointer = std::make_shared<Counted>();
    {
        auto body = [copy = pointer] { assert(copy->value == 5); };
        pointer.reset();
        together(body, body);
    }
    assert(destroyed == 1);
    return 0;
}

/* expect: bug data-race
 * Two threads assign to one shared_ptr object. Only its count is atomic. */
PROGRAM(shared_ptr_one_object) {
    auto pointer = std::make_shared<int>(1);
    together([&pointer] { pointer = std::make_shared<int>(2); },
             [&pointer] { pointer = std::make_shared<int>(3); });
    return 0;
}

/* expect: bug data-race
 * A shared_ptr does not protect the object that it points to. */
PROGRAM(shared_ptr_pointee) {
    auto pointer = std::make_shared<int>(1);
    together([pointer] { ++*pointer; }, [pointer] { ++*pointer; });
    return 0;
}

/* expect: verified
 * With std::atomic_load and std::atomic_store, threads may share one shared_ptr object. */
PROGRAM(shared_ptr_atomic_functions) {
    auto pointer = std::make_shared<int>(1);
    together([&pointer] { std::atomic_store(&pointer, std::make_shared<int>(2)); },
             [&pointer] {
                 auto seen = std::atomic_load(&pointer);
                 assert(*seen == 1 || *seen == 2);
             });
    return 0;
}

/* expect: verified
 * lock() of a weak_ptr returns an owner or nothing. */
PROGRAM(weak_ptr_lock) {
    auto pointer = std::make_shared<Counted>();
    std::weak_ptr<Counted> weak(pointer);
    together([&pointer] { pointer.reset(); },
             [weak] {
                 if (auto locked = weak.lock()) {
                     assert(locked->value == 5);
                 }
             });
    assert(weak.expired() && destroyed == 1);
    return 0;
}

/* expect: bug assertion
 * The object may be destroyed before the lock. */
PROGRAM(weak_ptr_expires) {
    auto pointer = std::make_shared<int>(5);
    std::weak_ptr<int> weak(pointer);
    together([&pointer] { pointer.reset(); }, [weak] { assert(weak.lock() != nullptr); });
    return 0;
}

/* expect: bug heap-misuse
 * A raw pointer is used after its owner has destroyed the object. */
PROGRAM(unique_ptr_dangles) {
    auto owner = std::make_unique<int>(1);
    int *raw = owner.get();
    std::thread([taken = std::move(owner)] { assert(*taken == 1); }).join();
    return *raw == 7;
}

/* expect: verified
 * executions: 1
 * Ownership moves into the thread. */
PROGRAM(unique_ptr_moved_to_a_thread) {
    auto owner = std::make_unique<Counted>();
    std::thread([taken = std::move(owner)] { assert(taken->value == 5); }).join();
    assert(!owner && destroyed == 1);
    return 0;
}

/* expect: bug assertion
 * An exception that leaves a noexcept function terminates the program. */
PROGRAM(exception_out_of_noexcept) {
    auto body = []() noexcept { throw 1; };
    body();
    return 0;
}

/* expect: bug assertion
 * `throw` without a current exception terminates the program. */
PROGRAM(exception_rethrown_from_nothing) {
    throw;
}

/* expect: verified
 * executions: 1
 * A terminate handler may end the program itself. */
PROGRAM(exception_terminate_handler) {
    std::set_terminate([] { _Exit(0); });
    throw 1;
}

/* expect: verified
 * executions: 1
 * Each thread has its own current exception. */
PROGRAM(exception_of_each_thread) {
    try {
        throw 1;
    } catch (int) {
        std::thread([] {
            assert(std::current_exception() == nullptr);
            try {
                throw 2;
            } catch (int number) {
                assert(number == 2);
            }
        }).join();
        assert(std::uncaught_exceptions() == 0 && std::current_exception() != nullptr);
    }
    return 0;
}

/* expect: verified
 * An exception_ptr is handed over by a join. */
PROGRAM(exception_handed_over) {
    std::exception_ptr error;
    std::thread([&error] {
        try {
            throw std::runtime_error("why");
        } catch (...) {
            error = std::current_exception();
        }
    }).join();
    try {
        std::rethrow_exception(error);
    } catch (const std::runtime_error &caught) {
        return strcmp(caught.what(), "why") != 0;
    }
    return 1;
}

struct Base {
    virtual ~Base() {
        call();
    }
    void call() {
        act();
    }
    virtual void act() = 0;
};
struct Derived : Base {
    void act() override {
        data++;
    }
};

/* expect: bug assertion
 * The destructor of the base class calls a pure virtual function, so the library terminates the
 * program. */
PROGRAM(pure_virtual_call) {
    Derived object;
    return 0;
}
