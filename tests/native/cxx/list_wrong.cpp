/* list_wrong.cpp - std::list: one thread splices an element into a list while another thread
 * follows its links.
 * expect: bug data-race */
#include <list>
#include <thread>

int main() {
    std::list<int> list = {1, 2}, more = {3};
    auto last = more.begin();
    std::thread other([&] { list.splice(list.end(), more, last); });
    int sum = 0;
    for (int value : list)
        sum += value;
    other.join();
    return sum > 0 ? 0 : 1;
}
