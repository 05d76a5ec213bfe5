/* exception_ptr_wrong.cpp - two threads hold one exception by std::exception_ptr. One of them
 * writes to it while the other reads. Releasing the references does not order these accesses.
 * expect: bug data-race */
#include <exception>
#include <thread>

struct failure {
    int code;
};

int main() {
    std::exception_ptr first = std::make_exception_ptr(failure{1}), second = first;
    std::thread other([&] {
        try {
            std::rethrow_exception(second);
        } catch (failure &caught) {
            caught.code = 2;
        }
        second = nullptr;
    });
    int code = 0;
    try {
        std::rethrow_exception(first);
    } catch (failure &caught) {
        code = caught.code;
    }
    first = nullptr;
    other.join();
    return code > 0 ? 0 : 1;
}
