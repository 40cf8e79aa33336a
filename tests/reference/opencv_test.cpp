// bilateral's opencv mode against cv2.bilateralFilter (Debian's python3-opencv), from file to file: at most 1
// of 255 anywhere, at most .01% of values different. Skipped, and counted, where OpenCV is not installed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/reference/files.h"
#include "tests/support/python.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

// The tree's own photograph, and scikit-image's if it is installed.
std::vector<std::string> photographs() {
  std::vector<std::string> found = {exampleFolder() + "/inputs/photo.png"};
  for (const char* name : {"astronaut.png", "coffee.png"})
    if (const std::string path = photograph(name); fs::exists(path))
      found.push_back(path);
  return found;
}

class OpenCv : public testing::TestWithParam<int> {
 protected:
  const Folder folder_;

  // The largest difference, and the share of values that differ.
  std::pair<int, double> compared(const std::string& photo, int radius, double range, double space) const {
    const std::string result = folder_.file("result.png");
    MemoryGraph graph;
    graph.text = fmt::format(
        "i-png bilateral o-png\nparam:i-png:01:filename:\"{}\"\nparam:i-png:01:encoding:linear\n"
        "param:i-png:01:precision:u8\nparam:bilateral:01:distance:opencv\n"
        "param:bilateral:01:radius:{}\nparam:bilateral:01:sigma_range:{}\n"
        "param:bilateral:01:sigma_space:{}\nparam:o-png:01:filename:\"{}\"\n"
        "param:o-png:01:encoding:linear\n",
        photo, radius, range, space, result);
    runFiles(graph);
    const std::string numbers = folder_.file("numbers");
    const std::string code = fmt::format(
        "import cv2; import numpy; a = cv2.imread(\"{}\"); b = cv2.imread(\"{}\"); "
        "d = abs(cv2.bilateralFilter(a, {}, {}, {}).astype(int) - b); "
        "open(\"{}\", \"w\").write(\"%d %.9f\" % (d.max(), (d > 0).mean()))",
        photo, result, 2 * radius + 1, range, space, numbers);
    EXPECT_TRUE(pythonRuns(code)) << code;
    std::pair<int, double> difference{255, 1.0};
    std::ifstream(numbers) >> difference.first >> difference.second;
    return difference;
  }
};

TEST_P(OpenCv, BilateralIsTheSame) {
  if (!pythonRuns("import cv2, numpy"))
    GTEST_SKIP() << "python3-opencv is not installed";
  std::mt19937_64& random = testRandom();
  for (const std::string& photo : photographs()) {
    const double range = 0.1 * pick(random, 50, 800);
    const double space = 0.1 * pick(random, 10, 100);
    const auto [largest, share] = compared(photo, GetParam(), range, space);
    EXPECT_LE(largest, 1) << photo << ", " << range << ", " << space;
    EXPECT_LE(share, 1e-4) << photo << ", " << range << ", " << space;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, OpenCv, testing::Values(1, 3, 7, 15));

}  // namespace
}  // namespace lacuna::test
