// Which tests of a program run, and how long each takes.

#include <fnmatch.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace lacuna::test {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Whether one of the patterns, with colons between them, fits the name.
bool fitsOne(std::string_view patterns, const std::string& name) {
  std::istringstream words{std::string(patterns)};
  for (std::string pattern; std::getline(words, pattern, ':');)
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0)
      return true;
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
    if (words >> suite >> pattern && std::string("test_") + suite == program_invocation_short_name)
      patterns += (patterns.empty() ? "" : ":") + pattern;
  }
  return patterns;
}

// Of the tests that gtest's filter chooses, those that fit LACUNA_TEST_ONLY and don't fit LACUNA_TEST_EXCEPT
// (patterns with colons between them). With LACUNA_TEST_CORE=1, also without those that tests/slow lists.
void selectTests() {
  const std::string only = variable("LACUNA_TEST_ONLY"), except = variable("LACUNA_TEST_EXCEPT");
  const std::string slow = variable("LACUNA_TEST_CORE").empty() ? "" : slowTests();
  if (only.empty() && except.empty() && slow.empty())
    return;
  std::string names;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(k)->name();
      if (fitsFilter(GTEST_FLAG_GET(filter), name) && (only.empty() || fitsOne(only, name)) &&
          !fitsOne(except, name) && !fitsOne(slow, name))
        names += (names.empty() ? "" : ":") + name;
    }
  }
  GTEST_FLAG_SET(filter, names.empty() ? "-*" : names);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double processorTime() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
}

class TestTimes : public testing::EmptyTestEventListener {
 public:
  explicit TestTimes(std::string file) : file_(std::move(file)) {}

  void OnTestStart(const testing::TestInfo&) override { start_ = processorTime(); }

  void OnTestEnd(const testing::TestInfo& test) override {
    // Opened anew, since several programs append to one file.
    if (FILE* file = std::fopen(file_.c_str(), "a")) {
      std::fprintf(file, "%.2f %.2f %s %s.%s\n", processorTime() - start_,
                   1e-3 * static_cast<double>(test.result()->elapsed_time()), program_invocation_short_name,
                   test.test_suite_name(), test.name());
      std::fclose(file);
    }
  }

 private:
  std::string file_;
  double start_ = 0;
};

// Appends a line a test to the file that the variable LACUNA_TEST_TIMES names: processor seconds, its
// programs' included, wall seconds, program, test.
void writeTestTimes() {
  if (const char* file = std::getenv("LACUNA_TEST_TIMES"))
    testing::UnitTest::GetInstance()->listeners().Append(new TestTimes(file));
}

}  // namespace
}  // namespace lacuna::test

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
