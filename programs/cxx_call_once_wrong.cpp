/* cxx_call_once_wrong.cpp - two functions initialise the same data by std::call_once, each with its
 * own flag.
 *
 * Each flag only makes sure that its own function initialises once.
 *
 * expect: bug assertion */
#include <atomic>
#include <heddle/heddle.h>
#include <mutex>
#include <thread>

static std::once_flag once_loading, once_saving;
static std::atomic<int> initialisations;

static void initialise() {
    initialisations++;
}

static void load() {
    std::call_once(once_loading, initialise);
}

static void save() {
    std::call_once(once_saving, initialise);
}

int main() {
    std::thread thread(load);
    save();
    thread.join();
    heddle_assert(initialisations == 1);
    return 0;
}
