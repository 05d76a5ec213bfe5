/* clock_early.cpp - between a constructor and main, the clocks run neither backwards nor far ahead.
 *
 * Main reads each clock after the constructor of the global variable did, so it reads a later time.
 * No task sleeps, so the time is less than a minute later.
 *
 * expect: verified
 * executions: 1 */
#include <cassert>
#include <chrono>
#include <ctime>

static const auto steady = std::chrono::steady_clock::now();
static const auto real = std::chrono::system_clock::now();
static const time_t seconds = time(nullptr);

int main() {
    auto since = std::chrono::steady_clock::now() - steady;
    auto real_since = std::chrono::system_clock::now() - real;
    assert(since > since.zero() && since < std::chrono::minutes(1));
    assert(real_since > real_since.zero() && real_since < std::chrono::minutes(1));
    assert(time(nullptr) >= seconds);
    return 0;
}
