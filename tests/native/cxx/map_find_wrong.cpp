/* map_find_wrong.cpp - std::map: one thread inserts while another one searches. libstdc++.so writes
 * the links of the new node.
 * expect: bug data-race */
#include <map>
#include <thread>

int main() {
    std::map<int, int> map = {{1, 1}, {5, 5}};
    std::thread other([&] { map.emplace(3, 3); });
    bool found = map.find(5) != map.end();
    other.join();
    return found ? 0 : 1;
}
