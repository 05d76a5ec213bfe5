/* Very long C++ names: a table of functions is emptied while another thread calls one of them. */
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>

using table = std::multimap<std::chrono::steady_clock::time_point,
                            std::function<void(std::map<std::string, int> &)>>;

static void empty(table &functions) {
    functions.clear();
}

int main() {
    table functions;
    std::map<std::string, int> counts;
    functions.emplace(std::chrono::steady_clock::time_point{}, [](auto &all) { all["calls"]++; });
    auto value =
        std::async(std::launch::async, [&] { return functions.begin()->second(counts), 1; });
    empty(functions);
    return value.get() - 1;
}
