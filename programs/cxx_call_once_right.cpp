/* cxx_call_once_right.cpp - two functions initialise the same data by std::call_once with one flag.
 *
 * expect: verified */
#include <atomic>
#include <heddle/heddle.h>
#include <mutex>
#include <thread>

static std::once_flag once;
static std::atomic<int> initialisations;

static void initialise() {
    initialisations++;
}

static void load() {
    std::call_once(once, initialise);
}

static void save() {
    std::call_once(once, initialise);
}

int main() {
    std::thread thread(load);
    save();
    thread.join();
    heddle_assert(initialisations == 1);
    return 0;
}
