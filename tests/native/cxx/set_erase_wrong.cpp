/* set_erase_wrong.cpp - std::set: one thread erases the last element while another thread iterates.
 * libstdc++.so reads the links for the iteration and for the removal.
 * expect: bug data-race */
#include <set>
#include <thread>

int main() {
    std::set<int> set = {1, 2, 3, 4, 5};
    std::thread other([&] { set.erase(5); });
    int sum = 0;
    for (auto it = set.begin(); *it < 4; ++it)
        sum += *it;
    other.join();
    return sum == 6 ? 0 : 1;
}
