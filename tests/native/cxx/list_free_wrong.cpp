/* list_free_wrong.cpp - std::list: an element is erased twice. The second time, libstdc++.so reads
 * the links of a freed node.
 * expect: bug heap-misuse */
#include <list>

int main() {
    std::list<int> list = {1, 2, 3};
    auto first = list.begin();
    list.erase(first);
    list.erase(first);
}
