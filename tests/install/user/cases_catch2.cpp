/* cases_catch2.cpp - four cases, with names that have special characters of Catch2, CMake and
 * CTest. */
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "add_twice.h"

TEST_CASE("first") {
    REQUIRE(add_twice() == 2);
}
TEST_CASE("a comma, and [brackets]") {
    REQUIRE(add_twice() == 2);
}
TEST_CASE("a; semicolon") {
    REQUIRE(add_twice() == 2);
}
TEST_CASE("first and last *") {
    REQUIRE(add_twice() == 2);
}
