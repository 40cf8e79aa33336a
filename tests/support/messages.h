#pragma once
#include <gtest/gtest.h>

#include "graph/config/diagnostics.h"

namespace lacuna::test {

// But for lines that replace earlier ones: tests append them.
inline void expectNoMessages(const Diagnostics& diagnostics) {
  for (const Diagnostic& found : diagnostics.sorted()) {
    EXPECT_NE(found.message.find("is set more than once"), std::string::npos) << diagnostics.render();
  }
}

}  // namespace lacuna::test
