/* string_wrong.cpp - std::string: one thread appends while another one compares. libstdc++.so
 * contains compiled versions of both members.
 * expect: bug data-race */
#include <string>
#include <thread>

int main() {
    std::string text(20, 'a');
    std::thread other([&] { text.append("b"); });
    bool same = text.compare("aaa") == 0;
    other.join();
    return same ? 1 : 0;
}
