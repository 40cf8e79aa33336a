#include <gtest/gtest.h>

#include <exception>
#include <iostream>

#include "tests/support/random.h"

int main(int argc, char** argv) {
  try {
    testing::InitGoogleTest(&argc, argv);
    lacuna::test::setUpRandom();
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
