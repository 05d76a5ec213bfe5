/* cpp17_misbehaving.cpp - errors at the end of C++ programs: exceptions where none are allowed, and
 * objects that are destroyed late. */
#include "corner.h"
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>

static int data;
static std::mutex mutex;

/* expect: bug assertion
 * No handler catches the exception. */
PROGRAM(worse_uncaught) {
    throw std::runtime_error("uncaught");
}

struct ThrowsAtEnd {
    ~ThrowsAtEnd() noexcept(false) {
        throw 2;
    }
};

/* expect: bug assertion
 * A second exception is thrown while the first one unwinds the stack. */
PROGRAM(worse_throw_while_unwinding) {
    try {
        ThrowsAtEnd object;
        throw 1;
    } catch (int) {
    }
    return 0;
}

/* expect: bug nonzero-exit
 * A thread calls std::exit. */
PROGRAM(worse_exit_in_a_thread) {
    std::thread thread([] { std::exit(5); });
    thread.join();
    return 0;
}

struct ExitsAtEnd {
    int value = 0;
    ~ExitsAtEnd() {
        if (value) {
            std::_Exit(6);
        }
    }
};
static ExitsAtEnd exits;

/* expect: bug nonzero-exit
 * The destructor of a global object calls _Exit. */
PROGRAM(worse_exit_in_a_destructor) {
    exits.value = 1;
    return 0;
}

struct ThrowsGlobally {
    bool armed = false;
    ~ThrowsGlobally() noexcept(false) {
        if (armed) {
            throw 1;
        }
    }
};
static ThrowsGlobally throws_globally;

/* expect: bug assertion
 * The destructor of a global object throws an exception. */
PROGRAM(worse_throw_in_a_destructor) {
    throws_globally.armed = true;
    return 0;
}

/* expect: bug assertion
 * A handler of exit throws an exception. */
PROGRAM(worse_throw_in_atexit) {
    std::atexit([] { throw 1; });
    return 0;
}

/* expect: bug assertion
 * The terminate handler returns, so the library aborts. */
PROGRAM(worse_terminate_handler_returns) {
    std::set_terminate([] { data = 1; });
    std::terminate();
}

/* expect: verified
 * executions: 1
 * operator new of too many bytes throws bad_alloc, and the nothrow form returns a null pointer. */
PROGRAM(worse_new_of_too_much) {
    volatile std::size_t size = std::size_t(1) << 46;
    try {
        char *volatile block = new char[size];
        (void)block;
    } catch (const std::bad_alloc &) {
        char *volatile nothing = new (std::nothrow) char[size];
        return nothing != nullptr;
    }
    return 1;
}

/* expect: bug heap-misuse
 * The object is deleted twice. */
PROGRAM(worse_double_delete) {
    int *volatile pointer = new int(1);
    delete pointer;
    delete pointer;
    return 0;
}

struct Polymorphic {
    virtual ~Polymorphic() = default;
    virtual int act() {
        return 1;
    }
};

/* expect: bug heap-misuse
 * A virtual call after delete. */
PROGRAM(worse_call_after_delete) {
    Polymorphic *volatile object = new Polymorphic;
    delete object;
    return object->act();
}

/* expect: bug assertion
 * dynamic_cast of a reference to the wrong type throws, and no handler catches the exception. */
PROGRAM(worse_bad_cast) {
    struct Other : Polymorphic {};
    Polymorphic object;
    Polymorphic &reference = object;
    return dynamic_cast<Other &>(reference).act() == 2;
}

struct LocksAtEnd {
    bool armed = false;
    ~LocksAtEnd() {
        if (armed) {
            mutex.lock();
        }
    }
};
static LocksAtEnd locks_at_end;

/* expect: bug deadlock
 * The destructor of a global object locks the mutex that main held when it called exit. */
PROGRAM(worse_lock_in_a_destructor) {
    locks_at_end.armed = true;
    mutex.lock();
    std::exit(0);
}

/* expect: verified
 * executions: 1
 * quick_exit runs no destructors of global objects.
 * documented: `quick_exit` (handlers of `at_quick_exit` are not run) */
PROGRAM(worse_quick_exit) {
    exits.value = 1;
    std::quick_exit(0);
}

/* expect: verified
 * executions: 1
 * Output to all streams of C++, flushed and not flushed, and to stdout of C. */
PROGRAM(worse_streams) {
    std::cout << "out " << 1 << std::endl;
    std::cerr << "error\n";
    std::clog << "log\n";
    printf("C\n");
    std::string nothing;
    std::cin >> nothing;
    return !std::cin.eof();
}

static std::string *text;
struct OwnsText {
    ~OwnsText() {
        delete text;
    }
};
static OwnsText owns;

/* expect: bug data-race
 * A global object frees a string at exit, and a detached thread reads it. Nothing orders the
 * two. */
PROGRAM(worse_destroyed_under_a_thread) {
    text = new std::string(50, 'a');
    std::thread([] { data = (*text)[3]; }).detach();
    return 0;
}

/* expect: bug assertion
 * A detached thread throws an exception, even if main has already returned. */
PROGRAM(worse_detached_throws) {
    std::thread([] { throw 1; }).detach();
    return 0;
}

/* expect: bug crash
 * The program reads through a null pointer. */
PROGRAM(worse_fault) {
    int *volatile pointer = nullptr;
    return *pointer;
}

static void endless(int depth) {
    std::string room(100, 'a');
    if (room[0] == 'a') {
        endless(depth + 1);
    }
    data += room[1];
}

/* expect: bug crash
 * Endless recursion through frames with objects that must be destroyed. */
PROGRAM(worse_recursion) {
    endless(0);
    return 0;
}
