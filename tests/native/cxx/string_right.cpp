/* string_right.cpp - two threads copy, search and compare strings at the same time, and both write
 * to std::cout, which is allowed. Nothing races.
 * expect: verified */
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

int main() {
    const std::string text = "a string that is longer than what fits into the object itself";
    auto read = [&] {
        std::string copy = text;
        copy.replace(0, 1, "the").insert(3, " very").erase(0, 1);
        std::ostringstream stream;
        stream << copy << 1 << text.find("longer");
        std::cout << stream.str() << std::endl;
        if (stream.str().size() < copy.size() || text.compare(copy) == 0)
            std::abort();
    };
    std::thread other(read);
    read();
    other.join();
}
