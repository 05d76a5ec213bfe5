/* cxx_static_wrong.cpp - a static local variable that is initialised by hand.
 *
 * expect: bug data-race */
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
    static const settings *instance;
    if (!instance)
        instance = new settings;
    return *instance;
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
