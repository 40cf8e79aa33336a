#include <gtest/gtest.h>

#include <exception>
#include <iostream>

#include "tests/support/random.h"
#include "tests/support/selection.h"
#include "tests/support/test_times.h"

int main(int argc, char** argv) {
  try {
    testing::InitGoogleTest(&argc, argv);
    lacuna::test::selectTests();
    lacuna::test::setUpRandom();
    lacuna::test::writeTestTimes();
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
