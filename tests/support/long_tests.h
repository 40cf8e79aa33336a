#pragma once
// Tests that try a few of many cases, and all of them in `tools/test --all`.

#include <cstdlib>

namespace lacuna::test {

inline bool triesAll() {
  return std::getenv("LACUNA_TEST_ALL") != nullptr;
}

}  // namespace lacuna::test
