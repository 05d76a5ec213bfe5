/* early_thread_local.cpp - a constructor made a thread_local object of the first thread. It is
 * destroyed at the end of main.
 *
 * Main leaves the value at 1, so the assertion of the destructor fails, also without the tool.
 * Nothing else runs at the end.
 *
 * expect: bug assertion
 * executions: 1 */
#include <cassert>

struct local {
    int value = 1;
    ~local() {
        assert(value == 2);
    }
};

static thread_local local mine;
static int early = mine.value;

int main() {
    return early - 1;
}
