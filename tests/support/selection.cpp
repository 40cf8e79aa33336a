#include "tests/support/selection.h"

#include <fnmatch.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace lacuna::test {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Whether one of the patterns, with colons between them, fits the name.
bool fitsOne(std::string_view patterns, const std::string& name) {
  std::istringstream words{std::string(patterns)};
  for (std::string pattern; std::getline(words, pattern, ':');) {
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) {
      return true;
    }
  }
  return false;
}

// As gtest reads its filter: patterns, a minus, patterns that are left out.
bool fitsFilter(const std::string& filter, const std::string& name) {
  const size_t minus = filter.find('-');
  const std::string_view chosen = std::string_view(filter).substr(0, minus);
  const std::string_view leftOut =
      minus == std::string::npos ? "" : std::string_view(filter).substr(minus + 1);
  return (chosen.empty() || fitsOne(chosen, name)) && !fitsOne(leftOut, name);
}

// The patterns of tests/slow for this program.
std::string slowTests() {
  std::string patterns;
  std::ifstream file(LACUNA_TEST_FOLDER "/slow");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string suite, pattern;
    if (words >> suite >> pattern && std::string("test_") + suite == program_invocation_short_name) {
      patterns += (patterns.empty() ? "" : ":") + pattern;
    }
  }
  return patterns;
}

}  // namespace

void selectTests() {
  const std::string only = variable("LACUNA_TEST_ONLY"), except = variable("LACUNA_TEST_EXCEPT");
  const std::string slow = variable("LACUNA_TEST_CORE").empty() ? "" : slowTests();
  if (only.empty() && except.empty() && slow.empty()) {
    return;
  }
  std::string names;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(k)->name();
      if (fitsFilter(GTEST_FLAG_GET(filter), name) && (only.empty() || fitsOne(only, name)) &&
          !fitsOne(except, name) && !fitsOne(slow, name)) {
        names += (names.empty() ? "" : ":") + name;
      }
    }
  }
  GTEST_FLAG_SET(filter, names.empty() ? "-*" : names);
}

}  // namespace lacuna::test
