#pragma once
#include <gtest/gtest.h>

#include "graph/config/diagnostics.h"

namespace lacuna::test {

// But for lines that replace earlier ones, which tests append, and for values that something else is taken
// for, which tests set to see that they aren't read.
inline void expectNoMessages(const Diagnostics& diagnostics) {
  for (const Diagnostic& found : diagnostics.sorted()) {
    EXPECT_TRUE(found.message.find("is set more than once") != std::string::npos ||
                found.message.find("has no effect") != std::string::npos ||
                found.message.find("has a keyframe at") != std::string::npos)
        << diagnostics.render();
  }
}

}  // namespace lacuna::test
