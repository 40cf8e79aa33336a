// lacuna info: the possible arguments, files that aren't images, and text from files that a terminal must not
// obey.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/io/exr_parts.h"
#include "tests/io/tagged_files.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class Informing : public testing::Test {
 protected:
  Outcome info(const std::vector<std::string>& names, const std::string& input = {}) const {
    std::vector<std::string> words = {"info"};
    words.insert(words.end(), names.begin(), names.end());
    return runProgram(words, {.folder = folder_.path(), .input = input});
  }

  static void expectIn(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  }

  const Folder folder_;
};

TEST_F(Informing, PrintsNoEscapeCodesOfFiles) {
  const std::string red = "\x1b[31m";
  writeParts(folder_.file("a.exr"), {{"", {"R", "G", "B", red + "evil.R", red + "evil.G", red + "evil.B"}}});
  std::mt19937_64 random = namedRandom("info");
  const Picture picture = randomPicture(Format::u8, {5, 3}, random);
  writeTaggedPng(folder_.file(red + ".png"), picture, {});
  insertChunk(folder_.file(red + ".png"), "tEXt", std::string("Comment\0one\n", 12) + red + "two\xc2\x9bm",
              "IDAT");
  const Outcome outcome = info({"a.exr", red + ".png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("\xc2\x9b"), std::string::npos);
  expectIn(outcome.out, "?[31mevil: ");
  expectIn(outcome.out, "Comment: one\n               ?[31mtwo");  // its second line stays below its label
  const Outcome compared =
      runProgram({"compare", folder_.file(red + ".png"), folder_.file(red + ".png"), "--blocks", "1x1"});
  EXPECT_EQ(compared.out.find('\x1b'), std::string::npos) << compared.out;
  const Outcome denoised = runProgram({"denoise", red + ".png", "-o", red + "out.png", "--strength", "0"},
                                      {.folder = folder_.path()});
  EXPECT_EQ(denoised.code, 0) << denoised.err;
  EXPECT_EQ(denoised.err.find('\x1b'), std::string::npos) << denoised.err;
}

}  // namespace
}  // namespace lacuna::test
