/* cxx_static_right.cpp - a static local variable: C++ initialises it once, and safely for threads.
 *
 * expect: verified */
#include <heddle/heddle.h>
#include <thread>

struct settings {
    int limit;
    settings() : limit(0) {
        heddle_yield(); /* for example, it reads a file here */
        limit = 42;
    }
};

static const settings &get() {
    static const settings instance;
    return instance;
}

static void user() {
    heddle_assert(get().limit == 42);
}

int main() {
    std::thread thread(user);
    user();
    thread.join();
    return 0;
}
