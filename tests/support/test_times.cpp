#include "tests/support/test_times.h"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

namespace lacuna::test {
namespace {

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

}  // namespace

void writeTestTimes() {
  if (const char* file = std::getenv("LACUNA_TEST_TIMES")) {
    testing::UnitTest::GetInstance()->listeners().Append(new TestTimes(file));
  }
}

}  // namespace lacuna::test
