/* cases_gtest.cpp - four cases, and a disabled one. */
#include <gtest/gtest.h>

#include "add_twice.h"

TEST(Counter, first) {
    EXPECT_EQ(add_twice(), 2);
}
TEST(Counter, second) {
    EXPECT_EQ(add_twice(), 2);
}
TEST(Counter, DISABLED_never) {
    EXPECT_EQ(add_twice(), 3);
}

class Parameters : public testing::TestWithParam<int> {};
TEST_P(Parameters, adds) {
    EXPECT_EQ(add_twice(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(Twice, Parameters, testing::Values(2, 2));
