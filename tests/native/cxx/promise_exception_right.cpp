/* promise_exception_right.cpp - an exception passes through a promise. Either thread may release
 * the last reference to it. The reference count is in libstdc++.so, and orders the uses of the
 * exception before its end. The exception has a type of the program, whose members and destructor
 * are instrumented.
 * expect: verified */
#include <cassert>
#include <future>
#include <string>
#include <thread>

struct failure {
    int code;
    std::string text;
    ~failure() {
        code = -1;
    }
};

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread other([promise = std::move(promise)]() mutable {
        try {
            throw failure{7, "a text that is longer than what fits into the string itself"};
        } catch (failure &caught) {
            promise.set_exception(std::current_exception());
            assert(caught.code == 7); /* this thread still holds the exception */
        }
    });
    try {
        future.get();
        assert(false);
    } catch (const failure &caught) {
        assert(caught.code == 7 && caught.text.size() > 16);
    }
    other.join();
}
