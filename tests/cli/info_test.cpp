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

TEST_F(Informing, OfSequencesTellsFramesHolesAndWhatDiffers) {
  for (const int number : {8, 9, 10, 12})
    writeRandomPng(folder_.file(fmt::format("shot_{:04}.png", number)), {number == 12 ? 4U : 5U, 3});
  for (const char* pattern : {"shot_%04d.png", "shot_####.png"}) {
    const Outcome outcome = info({pattern});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expectIn(outcome.out, "files        4: shot_0008.png");
    expectIn(outcome.out, "missing      shot_0011.png");
    expectIn(outcome.out, "differ       from the first, in size, channels or colour: shot_0012.png");
    expectIn(outcome.out, "PNG, 5 x 3");
  }
  const nlohmann::json json = jsonOf({"info", folder_.file("shot_%04d.png"), "--json"});
  EXPECT_EQ(json.at(0).at("frames"), (std::vector<int>{8, 9, 10, 12}));
  EXPECT_EQ(json.at(0).at("missing"), std::vector<int>{11});
  EXPECT_EQ(json.at(0).at("different"), std::vector<int>{12});
  EXPECT_EQ(info({"none_%04d.png"}).code, 2);
}

TEST_F(Informing, TakesGlobsFoldersAndStandardInput) {
  fs::create_directory(folder_.file("in"));
  for (const char* name : {"a.png", "b.png"})
    writeRandomPng(folder_.file(std::string("in/") + name), {5, 3});
  for (const std::string word : {"in/*.png", "in", "in/"}) {
    const Outcome outcome = info({word});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expectIn(outcome.out, "a.png");
    expectIn(outcome.out, "b.png");
  }
  const Outcome piped = info({"-"}, folder_.file("in/a.png"));
  EXPECT_EQ(piped.code, 0) << piped.err;
  expectIn(piped.out, "standard input\n  format       PNG, 5 x 3");
  fs::create_directory(folder_.file("empty"));
  const Outcome empty = info({"empty"});
  EXPECT_EQ(empty.code, 2);
  expectIn(empty.err, "empty");
}

TEST_F(Informing, SaysWhatIsForFilesThatAreNoImages) {
  spill(folder_.file("small.cfg"), exposureGraph("in.png", "out.png"));
  expectIn(info({"small.cfg"}).err, "small.cfg: this is not an image but a graph; `lacuna check small.cfg`");
  const std::string weights = info({LACUNA_TEST_FOLDER "/../modules/cnn-unet/weights/rgb.safetensors"}).err;
  expectIn(weights, "`lacuna denoise --weights");
  spill(folder_.file("text.txt"), "some text, and no more\n");
  const Outcome text = info({"text.txt"});
  EXPECT_EQ(text.code, 2);
  expectIn(text.err, "not those of a known image file");
}

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
