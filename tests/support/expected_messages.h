#pragma once
// Cases that are files or folders, each with its full message in a file beside it. LACUNA_UPDATE_EXPECTED=1
// writes the messages again: read the difference before keeping it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/folder.h"

namespace lacuna::test {

inline void expectMessages(const std::string& messages, const std::filesystem::path& expected) {
  if (std::getenv("LACUNA_UPDATE_EXPECTED") != nullptr)
    spill(expected, messages);
  ASSERT_TRUE(std::filesystem::exists(expected)) << expected << " is missing; the messages are:\n"
                                                 << messages;
  EXPECT_EQ(slurp(expected), messages);
  EXPECT_NE(messages, "") << "a wrong file gave no message";
}

// Names of files without their extension; of folders where that is empty.
inline std::vector<std::string> casesIn(const std::filesystem::path& where, const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(where))
    if (extension.empty() ? entry.is_directory() : entry.path().extension() == extension)
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string caseName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace lacuna::test
