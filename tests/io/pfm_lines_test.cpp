// The end of a PFM file's header: lines that end with CR LF or a space, and pixels that begin with such
// bytes.

#include "tests/io/support.h"

namespace lacuna::test {
namespace {

class PfmLines : public testing::Test {
 protected:
  // The colours of a file with this header and pixels; whether it is an error.
  bool comesBack(const std::string& header, size_t missing = 0) const {
    const std::string path = folder_.file("a.pfm");
    const std::string bytes(reinterpret_cast<const char*>(floats_.data()), 4 * floats_.size());
    spill(path, header + bytes.substr(0, bytes.size() - missing));
    const std::vector<float> found = asFloats(readPlane("pfm", path, "output"));
    for (size_t i = 0; i < floats_.size(); ++i) {
      const size_t x = i / 3 % 4, y = 2 - i / 12;  // rows from the bottom
      if (found.at((y * 4 + x) * 4 + i % 3) != floats_[i])
        return false;
    }
    return true;
  }

  std::vector<float> floats_ = std::vector<float>(4 * 3 * 3);
  const Folder folder_;
};

TEST_F(PfmLines, RandomPixelsOfAnyFirstByte) {
  for (int i = 0; i < 200; ++i) {
    for (float& number : floats_)
      number = std::uniform_real_distribution(0.0F, 1.0F)(testRandom());
    // The first byte of the pixels is one of a header's.
    const char first = "\n\r\t 0"[i % 5];
    std::memcpy(floats_.data(), &first, 1);
    for (const char* header : {"PF\n4 3\n-1.0\n", "PF\r\n4 3\r\n-1.0\r\n", "PF\n4 3\n-1.0 \n", "PF 4 3 -1.0 ",
                               "PF\r4 3\r-1.0\r", "PF\n4 3\n-1.0\r\n", "PF\r\n4\r\n3\r\n-1\r\n"})
      EXPECT_TRUE(comesBack(header)) << header << " " << static_cast<int>(first);
  }
}

TEST_F(PfmLines, RandomTruncatedFilesAreErrors) {
  for (float& number : floats_)
    number = std::uniform_real_distribution(0.0F, 1.0F)(testRandom());
  for (const char* header : {"PF\n4 3\n-1.0\n", "PF\r\n4 3\r\n-1.0\r\n"})
    EXPECT_NE(errorOf([&] { comesBack(header, 1); }).find("need"), std::string::npos) << header;
}

}  // namespace
}  // namespace lacuna::test
